// Ollama's own API: a line of JSON for each piece.

import type { Wire, WireCall, WireReply, WireRequest } from './wire.ts';

export const ollama: Wire = {
  label: 'ollama',
  config: { type: 'ollama' },
  basePath: '/api',
  model: 'qwen3:8b',
  auth: (key) => ['authorization', `Bearer ${key}`],
  paths: { whole: '/api/chat', streamed: '/api/chat' },
  streamType: 'application/x-ndjson',
  keepAlive: '\n',
  settings: { temperature: 'options.temperature', maxOutputTokens: 'options.num_predict' },
  whole: (reply) =>
    JSON.stringify({
      ...frame,
      message: { role: 'assistant', content: reply.text ?? '', ...thinkingOf(reply), ...callsOf(reply) },
      ...endOf(reply),
    }),
  stream(reply) {
    const { text = '', reasoning, calls = [] } = reply;
    const half = Math.ceil(text.length / 2);
    const messages = [
      ...(reasoning ? [{ content: '', thinking: reasoning.text }] : []),
      ...(text === '' ? [] : [{ content: text.slice(0, half) }, { content: text.slice(half) }]),
      ...calls.map((call) => ({ content: '', ...callsOf({ calls: [call] }) })),
    ];
    return [
      ...messages.map((message) => line({ message: { role: 'assistant', ...message }, done: false })),
      line({ message: { role: 'assistant', content: '' }, ...endOf(reply) }),
    ];
  },
  incompleteUntil: (events) => events.length - 1,
  error: (_status, message) => JSON.stringify({ error: message }),
  streamError: (message) => `${JSON.stringify({ error: message })}\n`,
  read(body) {
    const { messages, tools = [], stream = true } = JSON.parse(body) as OllamaBody;
    const [first] = messages;
    const hasSystem = first?.role === 'system';
    return {
      system: hasSystem ? first.content : '',
      messages: toMessages(hasSystem ? messages.slice(1) : messages),
      tools: tools.map((tool) => tool.function.name),
      isStreamed: stream,
    };
  },
};

interface OllamaBody {
  readonly messages: readonly OllamaMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
}

interface OllamaMessage {
  readonly role: string;
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: OllamaFunction }[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

interface OllamaFunction {
  readonly name: string;
  readonly arguments: WireCall['input'];
}

function toMessages(messages: readonly OllamaMessage[]): WireRequest['messages'] {
  const read: WireRequest['messages'][number][] = [];
  for (const message of messages) {
    const last = read.at(-1);
    const results = resultsIn(message);
    if (message.role === 'tool' && last?.role === 'tool')
      read[read.length - 1] = { ...last, results: [...last.results, ...results] };
    else read.push({ ...toMessage(message), results });
  }
  return read;
}

function toMessage({ role, content, thinking, tool_calls: calls = [] }: OllamaMessage) {
  return {
    role: role as 'user',
    text: role === 'tool' ? '' : content,
    calls: calls.map(({ id, function: called }) => ({ id, name: called.name, input: called.arguments })),
    ...(thinking === undefined ? {} : { reasoning: { text: thinking } }),
  };
}

function resultsIn({ role, content, tool_name: name = '', tool_call_id: id = '' }: OllamaMessage) {
  return role === 'tool' ? [{ id, name, text: content }] : [];
}

const frame = { model: 'qwen3:8b', created_at: '2026-01-01T00:00:00Z' };

function line(fields: object): string {
  return `${JSON.stringify({ ...frame, ...fields })}\n`;
}

function thinkingOf({ reasoning }: WireReply) {
  return reasoning ? { thinking: reasoning.text } : {};
}

function callsOf({ calls = [] }: WireReply) {
  if (calls.length === 0) return {};
  return { tool_calls: calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } })) };
}

/** It knows nothing of caches, and counts thoughts as output. */
function endOf({ finish, usage = { input: 10, output: 5 } }: WireReply) {
  const { input, output } = usage;
  return {
    done: true,
    done_reason: finish === 'length' ? 'length' : 'stop',
    total_duration: 1,
    prompt_eval_count: input,
    eval_count: output,
  };
}
