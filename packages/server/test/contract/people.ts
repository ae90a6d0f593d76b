// The agents that the conversations are held with, each with a model that follows a script.

import { type Agent, asTool, defineTool, type ModelRequest, type ToolOffer } from '@ai-agent/core';
import { type Script, type ScriptedModelOptions, type Step, scriptedModel } from '@ai-agent/core/testing';

export function agentOf(
  name: string,
  script: Script,
  more: Partial<Agent> = {},
  options?: ScriptedModelOptions,
): Agent {
  return {
    name,
    description: `does ${name}`,
    instructions: `You are ${name}.`,
    model: scriptedModel(script, options),
    ...more,
  };
}

/** A lead that calls this one, and says what came back. */
export function leadOf(name: string, child: Agent): Agent {
  return agentOf(name, (request) => lastResult(request) ?? call(child.name, { text: 'go' }), {
    tools: [asTool(child) as ToolOffer],
  });
}

export function call(name: string, input: object): Step {
  return { calls: [{ name, input: { reason: 'because', ...input } }] };
}

/** What the last tool call came to. */
export function lastResult({ messages }: ModelRequest): string | undefined {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.content.at(-1)?.text : undefined;
}

export const lookUp = defineTool({
  name: 'look_up',
  description: 'looks something up',
  inputSchema: { type: 'object' },
  execute: () => 'forty-two',
});
