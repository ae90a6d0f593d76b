// Which tools a turn calls: every one that is offered, once; a call that was refused, once more; then no more.

import { isObject, type Json, type ToolCallPart, type ToolSpec } from '@ai-agent/core';
import type { Conversation, PastCall } from './conversation.ts';
import { gatherMaterial } from './material.ts';
import type { Purpose } from './place.ts';
import { makeValue } from './values.ts';

const mostCalls = 8;

export function planCalls(tools: readonly ToolSpec[], conversation: Conversation): readonly ToolCallPart[] {
  const { calls, turn } = conversation;
  const planned = calls.length === 0 ? firstCalls(tools, conversation) : secondTries(tools, conversation);
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

function firstCalls(tools: readonly ToolSpec[], { prompt }: Conversation): readonly Planned[] {
  const chosen = addressed(tools, prompt);
  const agentsFirst = chosen.toSorted((a, b) => Number(isAgent(b)) - Number(isAgent(a)));
  const some = chosen.length > mostCalls ? agentsFirst.slice(0, mostCalls) : chosen;
  return some.map((tool) => ({ name: tool.name, input: argumentsFor(tool, prompt, 'call') }));
}

function isAgent({ name }: ToolSpec): boolean {
  return name.startsWith('agent__');
}

/** Only the tools that are named, when the request turns to one of them by name; else all. */
function addressed(tools: readonly ToolSpec[], prompt: string): readonly ToolSpec[] {
  const names = tools.map(({ name }) =>
    labelOf(name)
      .replace(/[_.-]+/g, '[ _.-]')
      .replace(/[^\w[\] .-]/g, '.'),
  );
  const isTurnedTo = names.some((name) => isIn(`(?:ask|tell|let|have|use|call) (?:(?:the|our|your) )?${name}`, prompt));
  return isTurnedTo ? tools.filter((_, i) => isIn(names[i] ?? '', prompt)) : tools;
}

function isIn(pattern: string, text: string): boolean {
  return new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'i').test(text);
}

function secondTries(tools: readonly ToolSpec[], { calls, prompt }: Conversation): readonly Planned[] {
  return tools.flatMap((tool) => {
    const [call, ...more] = calls.filter(({ name }) => name === tool.name);
    if (!call?.isError || more.length > 0) return [];
    if (wasTooMany(call)) return [{ name: tool.name, input: call.input }];
    const input = argumentsFor(tool, prompt, 'full-call');
    return wasRefused(call) && input !== call.input ? [{ name: tool.name, input }] : [];
  });
}

function wasTooMany({ text }: PastCall): boolean {
  return /calls? (?:is|are) run in one turn/.test(text);
}

function wasRefused({ text }: PastCall): boolean {
  return (
    /\b(?:arguments?|parameters?|input)\b/i.test(text) &&
    /not fit|invalid|not valid|must|lacks|missing|required/i.test(text)
  );
}

function argumentsFor(tool: ToolSpec, prompt: string, purpose: Purpose): string {
  const value: Json = makeValue(tool.inputSchema, gatherMaterial(prompt), purpose);
  return JSON.stringify(isObject(value) ? value : {});
}
