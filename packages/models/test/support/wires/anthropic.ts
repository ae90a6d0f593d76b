// Anthropic's Messages API.

import type { Wire, WireReply, WireRequest } from './wire.ts';

export const anthropic: Wire = {
  label: 'anthropic',
  config: { type: 'anthropic' },
  basePath: '/v1',
  model: 'claude-sonnet-4-5',
  auth: (key) => ['x-api-key', key],
  paths: { whole: '/v1/messages', streamed: '/v1/messages' },
  streamType: 'text/event-stream',
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  settings: { temperature: 'temperature', maxOutputTokens: 'max_tokens' },
  whole: (reply) =>
    JSON.stringify({
      ...frame(),
      content: blocksOf(reply),
      stop_reason: stopOf(reply),
      usage: { ...inputOf(reply), ...outputOf(reply) },
    }),
  stream(reply) {
    const usage = { ...inputOf(reply), output_tokens: 1 };
    return [
      event({ type: 'message_start', message: { ...frame(), content: [], stop_reason: null, usage } }),
      event({ type: 'ping' }),
      ...blocksOf(reply).flatMap(piecesOf),
      event({
        type: 'message_delta',
        delta: { stop_reason: stopOf(reply), stop_sequence: null },
        usage: outputOf(reply),
      }),
      event({ type: 'message_stop' }),
    ];
  },
  incompleteUntil: (events) => events.length - 1,
  error: (status, message) =>
    JSON.stringify({
      type: 'error',
      error: { type: errorTypes[status] ?? 'api_error', message },
      request_id: 'req_1',
    }),
  streamError: (message) => event({ type: 'error', error: { type: 'overloaded_error', message } }),
  read(body) {
    const { system = '', messages = [], tools = [], stream = false } = JSON.parse(body) as MessagesBody;
    return {
      system: textIn(system),
      messages: messages.map(toMessage),
      tools: tools.map(({ name }) => name),
      isStreamed: stream,
    };
  },
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** As the body of a request has them; what the tests look at. */
export interface MessagesBody {
  readonly system?: string | readonly Block[];
  readonly messages?: readonly MessagesMessage[];
  readonly tools?: readonly { readonly name: string }[];
  readonly stream?: boolean;
}

export interface MessagesMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly Block[];
}

/** Any block: what it has depends on its type. */
export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
  readonly cache_control?: unknown;
}

function toMessage({ role, content }: MessagesMessage): WireRequest['messages'][number] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const thought = blocks.find(({ type }) => type === 'thinking');
  const results = blocks.filter(({ type }) => type === 'tool_result');
  return {
    role: results.length > 0 ? 'tool' : role,
    text: textIn(blocks),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id = '', name = '', input = {} }) => ({ id, name, input })),
    results: results.map(({ tool_use_id: id = '', content: said = '' }) => ({ id, text: textIn(said) })),
    ...(thought ? { reasoning: thoughtIn(thought) } : {}),
  };
}

function thoughtIn({ thinking: text = '', signature }: Block) {
  return { text, ...(signature === undefined ? {} : { signature }) };
}

function textIn(content: string | readonly Block[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

function frame() {
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_sequence: null };
}

function blocksOf({ text, reasoning, calls = [] }: WireReply): readonly Block[] {
  return [
    ...(reasoning
      ? [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature ?? 'a-signature' }]
      : []),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
}

/** What is said comes in two halves, a signature at the end of its block. */
function piecesOf(block: Block, index: number): readonly string[] {
  const { type, text = '', thinking = '', signature = '', input = {} } = block;
  const deltas = {
    text: halves(text).map((half) => ({ type: 'text_delta', text: half })),
    thinking: [
      ...halves(thinking).map((half) => ({ type: 'thinking_delta', thinking: half })),
      { type: 'signature_delta', signature },
    ],
    tool_use: halves(JSON.stringify(input)).map((half) => ({ type: 'input_json_delta', partial_json: half })),
  }[type as 'text' | 'thinking' | 'tool_use'];
  const empty = { text: { text: '' }, thinking: { thinking: '', signature: '' }, tool_use: { input: {} } };
  return [
    event({
      type: 'content_block_start',
      index,
      content_block: { ...block, ...empty[type as 'text' | 'thinking' | 'tool_use'] },
    }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ];
}

function halves(text: string): readonly string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
}

export function event(fields: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${fields.type}\ndata: ${JSON.stringify(fields)}\n\n`;
}

const stops = { stop: 'end_turn', 'tool-calls': 'tool_use', length: 'max_tokens', 'content-filter': 'refusal' };

function stopOf({ calls = [], finish = calls.length > 0 ? 'tool-calls' : 'stop' }: WireReply): string {
  return stops[finish];
}

/** Here the input is what was neither read from the cache nor written to it. */
function inputOf({ usage = { input: 10, output: 5 } }: WireReply) {
  const { input, cacheRead, cacheWrite } = usage;
  return {
    input_tokens: input - (cacheRead ?? 0) - (cacheWrite ?? 0),
    ...(cacheRead === undefined ? {} : { cache_read_input_tokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_creation_input_tokens: cacheWrite }),
  };
}

function outputOf({ usage = { input: 10, output: 5 } }: WireReply) {
  const { output, reasoning } = usage;
  return {
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}
