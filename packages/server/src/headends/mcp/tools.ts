// Agents as tools: what a client sees of each, and how its arguments are read.

import {
  type Agent,
  type AgentInput,
  type JsonSchema,
  type OutputContract,
  resultOf,
  toAgentInput,
  toSafeName,
} from '@ai-agent/core';
import type { Tool } from '@modelcontextprotocol/server';
import type { Hall } from '../../hall.ts';
import type { ServedAgent } from '../../served-agent.ts';
import type { Visitor } from '../../visitor.ts';

export interface AgentAsTool {
  readonly served: ServedAgent;
  readonly listed: Tool;
  readonly input: AgentInput;
  /** What its answers are when nobody asks for anything else. */
  readonly output: OutputContract;
}

/** In the order in which they are served. Of two that would have one name the first has it; whoever serves them checks that. */
export function toolsFor(hall: Hall, visitor: Visitor): readonly AgentAsTool[] {
  const byName = new Map<string, AgentAsTool>();
  for (const served of hall.agentsFor(visitor)) {
    const tool = toTool(served);
    if (!byName.has(tool.listed.name)) byName.set(tool.listed.name, tool);
  }
  return [...byName.values()];
}

// What is listed is made once for each agent that is served.
const known = new WeakMap<ServedAgent, AgentAsTool>();

function toTool(served: ServedAgent): AgentAsTool {
  const tool = known.get(served) ?? makeTool(served);
  known.set(served, tool);
  return tool;
}

function makeTool(served: ServedAgent): AgentAsTool {
  const { name, agent, usage = agent.usage } = served;
  const output = resultOf(agent) ?? { format: 'text' };
  const hasContract = output.format === 'json';
  const input = toAgentInput(agent.input ?? { format: 'text' }, {
    offers: [
      'format',
      ...(hasContract ? [] : (['schema'] as const)),
      ...(agent.ask === undefined ? [] : (['resume'] as const)),
    ],
    words: wordsOf(agent, usage),
  });
  const listed: Tool = {
    name: toSafeName(name),
    title: name,
    description: agent.description ?? `The agent ${name}.`,
    inputSchema: input.schema as Tool['inputSchema'],
    ...(hasContract && output.schema ? { outputSchema: output.schema as NonNullable<Tool['outputSchema']> } : {}),
    annotations: annotationsOf(name, agent),
  };
  return { served, listed, input, output };
}

/** Who may answer a question instead says nothing in words. */
function wordsOf({ ask }: Agent, usage: string | undefined): JsonSchema {
  const example = usage ? `. For example: ${usage}` : '';
  return {
    type: 'object',
    properties: { text: { type: 'string', description: `What you ask, in words${example}` } },
    ...(ask === undefined ? { required: ['text'] } : {}),
  };
}

/** An agent whose tools change nothing changes nothing; what those of servers do is not known. */
function annotationsOf(title: string, { tools = [] }: Agent): NonNullable<Tool['annotations']> {
  const isReadOnly = tools.every((tool) => 'readOnly' in tool && tool.readOnly === true);
  return { title, readOnlyHint: isReadOnly };
}
