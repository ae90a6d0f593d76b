// The Responses API of OpenAI.

import type { Wire, WireCall, WireReply, WireRequest } from './wire.ts';

export const openaiResponses: Wire = {
  label: 'openai (responses)',
  config: { type: 'openai' },
  basePath: '/v1',
  model: 'gpt-5.4',
  auth: (key) => ['authorization', `Bearer ${key}`],
  paths: { whole: '/v1/responses', streamed: '/v1/responses' },
  streamType: 'text/event-stream; charset=utf-8',
  keepAlive: 'event: keepalive\ndata: {"type":"keepalive","sequence_number":3}\n\n',
  settings: { maxOutputTokens: 'max_output_tokens' },
  whole: (reply) => JSON.stringify(responseOf(reply)),
  stream(reply) {
    const whole = responseOf(reply);
    const begun = { ...whole, status: 'in_progress', output: [], usage: null, incomplete_details: null };
    return [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...whole.output.flatMap(eventsOf),
      { type: `response.${whole.status}`, response: whole },
    ].map((event, index) => toEvent({ ...event, sequence_number: index }));
  },
  // The last event says that it is complete.
  incompleteUntil: (events) => events.length - 1,
  error: openaiError,
  streamError: (message) =>
    toEvent({ type: 'error', sequence_number: 9, error: JSON.parse(openaiError(500, message)).error }),
  read(body) {
    const { input = [], tools = [], stream = false } = JSON.parse(body) as ResponsesBody;
    const [first] = input;
    const hasSystem = first?.role === 'system' || first?.role === 'developer';
    return {
      system: hasSystem ? textIn(first.content) : '',
      messages: toMessages(hasSystem ? input.slice(1) : input),
      tools: tools.map(({ name }) => name),
      isStreamed: stream,
    };
  },
};

const kinds: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  402: ['insufficient_quota', 'billing_not_active'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
};

export function openaiError(status: number, message: string): string {
  const other = status >= 500 ? (['server_error', null] as const) : (['invalid_request_error', null] as const);
  const [type, code] = kinds[status] ?? other;
  return JSON.stringify({ error: { message, type, param: null, code } });
}

/** Its name stands before every event. */
export function toEvent(event: { readonly type: string } & Readonly<Record<string, unknown>>): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const incomplete = { length: 'max_output_tokens', 'content-filter': 'content_filter' } as const;

function responseOf(reply: WireReply) {
  const { finish } = reply;
  const reason = finish === 'length' || finish === 'content-filter' ? incomplete[finish] : undefined;
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    status: reason ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: reason ? { reason } : null,
    model: 'gpt-5.4-2026-03-05',
    output: itemsOf(reply),
    usage: usageOf(reply),
  };
}

type Item = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>;

function itemsOf({ reasoning, text, calls = [] }: WireReply): readonly Item[] {
  return [
    ...(reasoning ? [reasoningItem(reasoning)] : []),
    ...(text === undefined ? [] : [messageItem([{ type: 'output_text', text, annotations: [] }])]),
    ...calls.map(callItem),
  ];
}

function reasoningItem({ text, signature }: NonNullable<WireReply['reasoning']>): Item {
  return {
    id: 'rs_1',
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(signature === undefined ? {} : { encrypted_content: signature }),
  };
}

export function messageItem(content: readonly object[]): Item {
  return { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content };
}

function callItem({ id, name, input }: WireCall, index: number): Item {
  const at = `fc_${index + 1}`;
  return { id: at, type: 'function_call', status: 'completed', call_id: id, name, arguments: JSON.stringify(input) };
}

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

/** An item is announced empty, comes in pieces, and is then said again as a whole. */
function eventsOf(item: Item, index: number): readonly Event[] {
  const at = { output_index: index };
  const empty = { ...item, status: 'in_progress', ...emptied[item.type] };
  return [
    { type: 'response.output_item.added', ...at, item: empty },
    ...piecesOf(item).map((piece) => ({ ...piece, ...at, item_id: item.id })),
    { type: 'response.output_item.done', ...at, item },
  ];
}

const emptied: Readonly<Record<string, object>> = {
  message: { content: [] },
  reasoning: { summary: [] },
  function_call: { arguments: '' },
};

function piecesOf(item: Item): readonly Event[] {
  if (item.type === 'function_call') {
    const halves = halvesOf(String(item.arguments));
    return halves.map((delta) => ({ type: 'response.function_call_arguments.delta', delta }));
  }
  if (item.type === 'reasoning')
    return (item.summary as readonly { readonly text: string }[]).flatMap((part, index) => [
      { type: 'response.reasoning_summary_part.added', summary_index: index, part: { ...part, text: '' } },
      ...halvesOf(part.text).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        summary_index: index,
        delta,
      })),
      { type: 'response.reasoning_summary_part.done', summary_index: index, part },
    ]);
  return (item.content as readonly { readonly type: string; readonly text: string }[]).flatMap((part, index) => [
    { type: 'response.content_part.added', content_index: index, part: { ...part, text: '' } },
    ...halvesOf(part.text).map((delta) => ({ type: 'response.output_text.delta', content_index: index, delta })),
    { type: 'response.output_text.done', content_index: index, text: part.text },
    { type: 'response.content_part.done', content_index: index, part },
  ]);
}

function halvesOf(text: string): readonly string[] {
  const half = Math.ceil(text.length / 2);
  return text === '' ? [] : [text.slice(0, half), text.slice(half)];
}

function usageOf({ usage = { input: 10, output: 5 } }: WireReply) {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  const details = {
    ...(cacheRead === undefined ? {} : { cached_tokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_write_tokens: cacheWrite }),
  };
  return {
    input_tokens: input,
    ...(Object.keys(details).length === 0 ? {} : { input_tokens_details: details }),
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { reasoning_tokens: reasoning } }),
    total_tokens: input + output,
  };
}

interface ResponsesBody {
  readonly input?: readonly InputItem[];
  readonly tools?: readonly { readonly name: string }[];
  readonly stream?: boolean;
}

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: string;
  readonly summary?: readonly { readonly text: string }[];
  readonly encrypted_content?: string;
}

type Read = { -readonly [Key in keyof WireRequest['messages'][number]]: WireRequest['messages'][number][Key] };

/** Here every part of a message is an item of its own: those of one turn are put together again. */
function toMessages(input: readonly InputItem[]): WireRequest['messages'] {
  const read: Read[] = [];
  for (const item of input) {
    const role = roleOf(item);
    const last = read.at(-1);
    const message: Read = last?.role === role && role !== 'user' ? last : { role, text: '', calls: [], results: [] };
    if (message !== last) read.push(message);
    add(message, item);
  }
  return read;
}

function roleOf({ type, role }: InputItem): Read['role'] {
  if (type === 'function_call_output') return 'tool';
  return role === 'user' ? 'user' : 'assistant';
}

function add(message: Read, item: InputItem): void {
  const { call_id: id = '', name = '' } = item;
  if (item.type === 'function_call_output') message.results = [...message.results, { id, text: item.output ?? '' }];
  else if (item.type === 'function_call')
    message.calls = [...message.calls, { id, name, input: JSON.parse(item.arguments ?? '{}') }];
  else if (item.type === 'reasoning')
    message.reasoning = {
      text: (item.summary ?? []).map(({ text }) => text).join(''),
      ...(item.encrypted_content === undefined ? {} : { signature: item.encrypted_content }),
    };
  else message.text += textIn(item.content);
}

function textIn(content: InputItem['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');
}
