// Chat completions, as most servers speak them.

import type { Wire, WireCall, WireReply, WireRequest } from './wire.ts';

export const chat: Wire = {
  label: 'openai-compatible',
  config: { type: 'openai-compatible' },
  basePath: '/v1',
  model: 'a-model',
  auth: (key) => ['authorization', `Bearer ${key}`],
  paths: { whole: '/v1/chat/completions', streamed: '/v1/chat/completions' },
  streamType: 'text/event-stream',
  settings: { temperature: 'temperature', maxOutputTokens: 'max_tokens' },
  whole: (reply) =>
    JSON.stringify({
      ...frame('chat.completion'),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', ...wordsOf(reply), ...callsOf(reply) },
          finish_reason: finishOf(reply),
        },
      ],
      usage: usageOf(reply),
    }),
  stream(reply) {
    const { reasoning, text = '' } = reply;
    const half = Math.ceil(text.length / 2);
    const deltas = [
      { role: 'assistant', content: '' },
      ...(reasoning ? [{ reasoning_content: reasoning.text }] : []),
      ...(text === '' ? [] : [{ content: text.slice(0, half) }, { content: text.slice(half) }]),
      ...piecesOf(reply),
    ];
    return [
      ...deltas.map((delta) => event({ choices: [{ index: 0, delta, finish_reason: null }] })),
      event({ choices: [{ index: 0, delta: {}, finish_reason: finishOf(reply) }] }),
      event({ choices: [], usage: usageOf(reply) }),
      'data: [DONE]\n\n',
    ];
  },
  // The reason it finished is in the third event from the end.
  incompleteUntil: (events) => events.length - 3,
  error: (status, message) =>
    JSON.stringify({ error: { message, type: 'an_error', param: null, code: `code_${status}` } }),
  streamError: (message) => `data: ${JSON.stringify({ error: { message, type: 'overloaded_error', code: 529 } })}\n\n`,
  read(body) {
    const { messages = [], tools = [], stream = false } = JSON.parse(body) as ChatBody;
    const [first] = messages;
    const hasSystem = first?.role === 'system' || first?.role === 'developer';
    return {
      system: hasSystem ? textIn(first.content) : '',
      messages: toMessages(hasSystem ? messages.slice(1) : messages),
      tools: tools.map((tool) => tool.function.name),
      isStreamed: stream,
    };
  },
};

interface ChatBody {
  readonly messages?: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly text?: string }[];
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

function toMessages(messages: readonly ChatMessage[]): WireRequest['messages'] {
  const read: WireRequest['messages'][number][] = [];
  for (const { role, content, reasoning_content: thought, tool_calls: calls = [], tool_call_id: id = '' } of messages) {
    const last = read.at(-1);
    if (role === 'tool' && last?.role === 'tool') {
      read[read.length - 1] = { ...last, results: [...last.results, { id, text: textIn(content) }] };
      continue;
    }
    read.push({
      role: role as 'user',
      text: role === 'tool' ? '' : textIn(content),
      calls: calls.map((call) => ({
        id: call.id,
        name: call.function.name,
        input: JSON.parse(call.function.arguments),
      })),
      results: role === 'tool' ? [{ id, text: textIn(content) }] : [],
      ...(thought === undefined ? {} : { reasoning: { text: thought } }),
    });
  }
  return read;
}

function textIn(content: ChatMessage['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');
}

function frame(object: string) {
  return { id: 'chatcmpl-1', object, created: 1_700_000_000, model: 'a-model' };
}

function event(fields: object): string {
  return `data: ${JSON.stringify({ ...frame('chat.completion.chunk'), ...fields })}\n\n`;
}

function wordsOf({ text, reasoning }: WireReply) {
  return { content: text ?? null, ...(reasoning ? { reasoning_content: reasoning.text } : {}) };
}

function callsOf({ calls = [] }: WireReply) {
  return calls.length === 0 ? {} : { tool_calls: calls.map(toCall) };
}

function toCall({ id, name, input }: WireCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

/** Each call in three pieces: its name, then its arguments in two. */
function piecesOf({ calls = [] }: WireReply) {
  return calls.flatMap((call, index) => {
    const whole = toCall(call);
    const { arguments: input } = whole.function;
    const half = Math.ceil(input.length / 2);
    return [
      { tool_calls: [{ ...whole, index, function: { name: call.name, arguments: '' } }] },
      { tool_calls: [{ index, function: { arguments: input.slice(0, half) } }] },
      { tool_calls: [{ index, function: { arguments: input.slice(half) } }] },
    ];
  });
}

function finishOf({ calls = [], finish = calls.length > 0 ? 'tool-calls' : 'stop' }: WireReply): string {
  return finish.replaceAll('-', '_');
}

/** Cache writes have no place on this wire. */
function usageOf({ usage = { input: 10, output: 5 } }: WireReply) {
  const { input, output, cacheRead, reasoning } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cacheRead === undefined ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } }),
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
