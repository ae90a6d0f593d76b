// Agents as tools: what a client sees of each, and how its arguments are read.

import {
  type Agent,
  type AgentInput,
  type InputContract,
  type JsonSchema,
  mayAsk,
  nearest,
  type OutputContract,
  resultOf,
  toAgentInput,
  toSafeName,
} from '@ai-agent/core';
import type { Tool } from '@modelcontextprotocol/server';
import type { Hall } from '../../hall.ts';
import type { ServedAgent } from '../../served-agent.ts';
import type { Visitor } from '../../visitor.ts';
import { toListedInput, toListedOutput } from './listed-schema.ts';

export interface AgentAsTool {
  readonly served: ServedAgent;
  readonly listed: Tool;
  readonly input: AgentInput;
  /** What it is asked, without anything that may be said beside it. */
  readonly asked: AgentInput;
  /** Whether an argument of its own is called `answer`: then it answers no question. */
  readonly hasAnswer: boolean;
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

export type FoundTool = { readonly tool: AgentAsTool } | { readonly meant: string | undefined };

/** By the name that is listed, or by one that its agent has elsewhere; else the name that was probably meant. */
export function findTool(hall: Hall, visitor: Visitor, name: string): FoundTool {
  const tools = toolsFor(hall, visitor);
  const tool =
    tools.find(({ listed }) => listed.name === name) ??
    tools.find(({ served }) => served.name === name || served.agent.name === name);
  if (tool) return { tool };
  const names = tools.map(({ listed }) => listed.name);
  return { meant: nearest(name, names) };
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
  const contract = agent.input ?? { format: 'text' };
  const output = resultOf(agent) ?? { format: 'text' };
  const hasContract = output.format === 'json';
  // Those who have models read them refuse arguments with alternatives at the root.
  const options = { words: wordsOf(agent, usage), mayBranch: false };
  const input = toAgentInput(contract, {
    ...options,
    offers: ['format', ...(hasContract ? [] : (['schema'] as const)), ...(mayAsk(agent) ? (['resume'] as const) : [])],
    // A call without it gets the default nevertheless.
    requires: hasContract ? [] : ['format'],
    about: { format: formatOf(output) },
  });
  const asked = toAgentInput(contract, { ...options, offers: [] });
  const outputSchema = hasContract && output.schema ? toListedOutput(output.schema) : undefined;
  const listed: Tool = {
    name: toSafeName(name),
    title: name,
    description: descriptionOf(served, contract),
    inputSchema: toListedInput(withResume(input.schema)) as Tool['inputSchema'],
    ...(outputSchema ? { outputSchema: outputSchema as NonNullable<Tool['outputSchema']> } : {}),
    annotations: annotationsOf(name, agent),
  };
  const hasAnswer = !mayAsk(agent) && Object.hasOwn(input.schema.properties ?? {}, 'answer');
  return { served, listed, input, asked, hasAnswer, output };
}

/** No argument of an agent is called so: where one was, all of them are inside another. */
function withResume(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema as { readonly properties?: Record<string, JsonSchema> };
  const how = 'answer' in properties && 'resume' in properties ? ', or with answer, to answer its question' : '';
  const description = `Only to go on with an earlier session of this agent: its id, beside what you ask${how}`;
  return { ...schema, properties: { ...properties, resume: { type: 'string', description } } };
}

/** The example of who takes words stands beside those. */
function descriptionOf({ name, agent, usage = agent.usage }: ServedAgent, { format }: InputContract): string {
  const { description = `The agent ${name}.` } = agent;
  return format === 'json' && usage ? `${description}\n\nFor example: ${usage}` : description;
}

/** Who may answer a question instead says nothing in words. */
function wordsOf(agent: Agent, usage: string | undefined): JsonSchema {
  const example = usage ? `. For example: ${usage}` : '';
  return {
    type: 'object',
    properties: { text: { type: 'string', description: `What you ask, in words${example}` } },
    ...(mayAsk(agent) ? {} : { required: ['text'] }),
  };
}

/** A choice is told only where there is one. */
function formatOf({ format }: OutputContract): JsonSchema {
  if (format === 'json')
    return { type: 'string', enum: ['json'], description: 'This agent always answers with data; nothing to choose' };
  return {
    type: 'string',
    enum: ['text', 'markdown', 'json'],
    description: `The form of the answer: plain text, Markdown, or json, which is data and needs a schema. Without it: ${format}`,
  };
}

/**
 * An agent all of whose tools only look changes nothing. Of what its partners and plugins do, and of tools that servers bring,
 * nothing is known here, and so nothing is said.
 */
function annotationsOf(title: string, agent: Agent): NonNullable<Tool['annotations']> {
  const { tools = [], advisors, router, handoff, plugins = [] } = agent;
  const isAlone = !advisors?.length && !router && !handoff?.length && plugins.length === 0;
  const isReadOnly = isAlone && tools.every((tool) => 'readOnly' in tool && tool.readOnly === true);
  return isReadOnly ? { title, readOnlyHint: true } : { title };
}
