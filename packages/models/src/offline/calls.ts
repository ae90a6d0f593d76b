// Which tools a turn calls: every one that only looks or does not say, once; one that refused its arguments, once more.

import { isObject, type ToolCallPart, type ToolSpec } from '@ai-agent/core';
import type { Conversation, PastCall } from './conversation.ts';
import { gatherMaterial, type Material } from './material.ts';
import type { Purpose } from './scope.ts';
import { makeValue } from './values.ts';

const mostCalls = 8;

export function planCalls(tools: readonly ToolSpec[], conversation: Conversation): readonly ToolCallPart[] {
  const { calls, turn, prompt } = conversation;
  if (tools.length === 0) return [];
  const material = gatherMaterial(prompt);
  const planned = calls.length === 0 ? firstCalls(tools, material) : secondTries(tools, calls, material);
  return planned.map(({ name, input }, i) => ({ type: 'tool-call', id: `demo_${turn}_${i + 1}`, name, input }));
}

/** The name people know a tool by: without the prefix of its kind or source. */
export function labelOf(toolName: string): string {
  return toolName.replace(/^.+?__(?=.)/, '');
}

interface Planned {
  readonly name: string;
  readonly input: string;
}

/** It does not know what it does: what says that it changes something is left alone. */
function firstCalls(all: readonly ToolSpec[], material: Material): readonly Planned[] {
  const tools = all.filter(({ readOnly }) => readOnly !== false);
  const agentsFirst = tools.toSorted((a, b) => Number(isAgent(b)) - Number(isAgent(a)));
  const chosen = tools.length > mostCalls ? agentsFirst.slice(0, mostCalls) : tools;
  return chosen.map((tool) => ({ name: tool.name, input: argumentsFor(tool, material, 'call') }));
}

function isAgent({ name }: ToolSpec): boolean {
  return name.startsWith('agent__');
}

function secondTries(tools: readonly ToolSpec[], calls: readonly PastCall[], material: Material): readonly Planned[] {
  return tools.flatMap((tool) => {
    const [call, ...more] = calls.filter(({ name }) => name === tool.name);
    if (!call || more.length > 0 || !wasRefused(call)) return [];
    const input = argumentsFor(tool, material, 'full-call');
    return input === call.input ? [] : [{ name: tool.name, input }];
  });
}

/** The reason is the first line; what follows is advice. */
function wasRefused({ text, isError }: PastCall): boolean {
  return isError && /\barguments?\b/i.test(text.split('\n', 1)[0] ?? '');
}

function argumentsFor(tool: ToolSpec, material: Material, purpose: Purpose): string {
  const value = makeValue(tool.inputSchema, material, purpose);
  if (!isObject(value)) return '{}';
  // It knows nothing beyond the request, which whoever is handed it gets anyway.
  const { message: _message, ...rest } = value;
  return JSON.stringify(tool.name === 'router__handoff-to' ? rest : value);
}
