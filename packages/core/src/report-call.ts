// A final report that a model gives by calling a tool for it, which nobody offered: the reply is read as that answer.

import { isObject } from './json.ts';
import type { AssistantMessage, ToolCallPart } from './message.ts';
import type { ModelReply, ModelRequest } from './model.ts';

type Part = AssistantMessage['content'][number];

/**
 * The reply itself when there is no such call, when there are calls of other tools, which run, or when it says nothing.
 * The answer is text then, since a call in a conversation needs its result. Words beside it are no part of it.
 */
export function readReportCall(reply: ModelReply, request: Pick<ModelRequest, 'tools' | 'withheld'>): ModelReply {
  const { content } = reply.message;
  const last = content.findLast(isReportCall);
  if (!last) return reply;
  const isOneOfOthers = content.some((part) => part.type === 'tool-call' && !isReportCall(part));
  // Of arguments that were cut nobody knows what they were to be.
  if (isOneOfOthers || reply.finishReason === 'length' || isOffered(request)) return reply;
  const text = toReport(last.input);
  if (text === undefined) return reply;
  // A thought that led to a call is signed for that call.
  const thoughts = content.flatMap((part): readonly Part[] =>
    part.type === 'reasoning' ? [{ ...part, bound: {} }] : [],
  );
  return {
    ...reply,
    message: { ...reply.message, content: [...thoughts, { type: 'text', text }] },
    finishReason: 'stop',
  };
}

const names: ReadonlySet<string> = new Set(['agent__final_report', 'final_report']);

function isReportCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && names.has(part.name);
}

/** By any name that would find it. */
function isOffered({ tools, withheld = [] }: Pick<ModelRequest, 'tools' | 'withheld'>): boolean {
  return [...tools, ...withheld].some(({ name }) => name === 'final_report' || name.endsWith('__final_report'));
}

const textKeys = ['report_content', 'content', 'report', 'text', 'answer'] as const;
const jsonKeys = ['content_json', 'report_json', 'json', 'messages'] as const;

/** Undefined when there is nothing in it that could be meant. */
function toReport(input: string): string | undefined {
  const given = parse(input);
  if (!isObject(given)) return undefined;
  const isJson = (given.report_format ?? given.format) === 'json';
  const keys = isJson ? [...jsonKeys, ...textKeys] : [...textKeys, ...jsonKeys];
  for (const key of keys) {
    const value = given[key];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  }
  return undefined;
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}
