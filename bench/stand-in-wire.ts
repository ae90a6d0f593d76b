// What the stand-in decided, in the words of chat completions: whole, or as server-sent events.

import type { Decision } from './stand-in-script.ts';

/** Pieces of text in one answer. */
const pieces = 8;
const frame = { id: 'chatcmpl-1', created: 1, model: 'stand-in', system_fingerprint: 'none' };
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

export function toCompletion({ text, calls }: Decision): object {
  const message = calls.length > 0 ? { content: null, tool_calls: calls.map(toWireCall) } : { content: fill(text) };
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: finishOf(calls) };
  return { ...frame, object: 'chat.completion', choices: [choice], usage };
}

/** Arguments come after the name of their call, and text in pieces. */
export function toEvents({ text, calls }: Decision): string[] {
  const deltas: object[] = calls.flatMap((call, index) => [
    { tool_calls: [{ index, ...toWireCall({ ...call, arguments: '' }, index) }] },
    { tool_calls: [{ index, function: { arguments: call.arguments } }] },
  ]);
  if (calls.length === 0) deltas.push({ content: text }, ...fillers.map((content) => ({ content })));
  return [
    toEvent([toChoice({ role: 'assistant', content: '' })]),
    ...deltas.map((delta) => toEvent([toChoice(delta)])),
    toEvent([toChoice({}, finishOf(calls))]),
    toEvent([], { usage }),
    'data: [DONE]\n\n',
  ];
}

const fillers = Array.from({ length: pieces - 1 }, (_, i) => ` word${i}`);

function fill(text: string): string {
  return text + fillers.join('');
}

function finishOf(calls: Decision['calls']): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function toWireCall(call: Decision['calls'][number], index: number): object {
  return { id: `call_${index}`, type: 'function', function: call };
}

function toChoice(delta: object, finish_reason: string | null = null): object {
  return { index: 0, delta, finish_reason };
}

function toEvent(choices: readonly object[], rest: object = {}): string {
  return `data: ${JSON.stringify({ ...frame, object: 'chat.completion.chunk', choices, ...rest })}\n\n`;
}
