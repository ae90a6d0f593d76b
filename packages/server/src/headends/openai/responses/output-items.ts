// Items of a response: what was thought, what was said, and what the client is to call.

import type { ClientCall, Said } from '../../../talk/said.ts';
import { customInput } from '../custom-tool.ts';
import type { SentTools } from './read-tools.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export type OutputItem = ReasoningItem | MessageItem | CallItem;
export type ReasoningItem = ReturnType<typeof toReasoningItem>;
export type MessageItem = ReturnType<typeof toMessageItem>;
export type CallItem = FunctionCallItem | CustomCallItem;

export type FunctionCallItem = Called & { readonly type: 'function_call'; readonly arguments: string };
export type CustomCallItem = Called & { readonly type: 'custom_tool_call'; readonly input: string };

type Called = {
  readonly id: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly status: ItemStatus;
};

/** Makes ids of items, each once: `msg`, `rs`. */
export type ToId = (prefix: string) => string;

export function toReasoningItem(id: string, text: string | undefined, status: ItemStatus) {
  return { id, type: 'reasoning' as const, status, summary: text === undefined ? [] : [toSummary(text)] };
}

export function toSummary(text: string) {
  return { type: 'summary_text' as const, text };
}

export function toMessageItem(id: string, text: string | undefined, status: ItemStatus) {
  const content = text === undefined ? [] : [toOutputText(text)];
  return { id, type: 'message' as const, status, role: 'assistant' as const, content };
}

export function toOutputText(text: string) {
  return { type: 'output_text' as const, text, annotations: [], logprobs: [] };
}

export function toCallItem(call: ClientCall, tools: SentTools, toId: ToId): CallItem {
  const { type, name, namespace } = tools.sent(call.name);
  const named = {
    call_id: call.id,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    status: 'completed',
  } as const;
  if (type === 'custom') return { id: toId('ctc'), type: 'custom_tool_call', ...named, input: customInput(call.input) };
  return { id: toId('fc'), type: 'function_call', ...named, arguments: call.input };
}

/** All at once. */
export function toOutput(said: Said, tools: SentTools, toId: ToId): readonly OutputItem[] {
  const { reasoning, text, calls, isCut } = said;
  // Whatever came last is not whole then.
  const status = isCut ? 'incomplete' : 'completed';
  return [
    ...(reasoning === '' ? [] : [toReasoningItem(toId('rs'), reasoning, 'completed')]),
    // Whoever reads a response looks for a message.
    ...(text === '' && calls.length > 0 ? [] : [toMessageItem(toId('msg'), text, status)]),
    ...calls.map((call) => toCallItem(call, tools, toId)),
  ];
}
