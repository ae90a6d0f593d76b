// OpenRouter: chat completions, with blocks of reasoning and the bill.

import { chat } from './chat.ts';
import type { Wire, WireReply } from './wire.ts';

export const openrouter: Wire = {
  ...chat,
  label: 'openrouter',
  config: { type: 'openrouter' },
  basePath: '/api/v1',
  model: 'anthropic/claude-sonnet-5',
  paths: { whole: '/api/v1/chat/completions', streamed: '/api/v1/chat/completions' },
  whole(reply) {
    const { choices, usage, ...frame } = JSON.parse(chat.whole(withoutThought(reply)));
    const [choice] = choices;
    const message = { ...choice.message, ...thoughtOf(reply) };
    return JSON.stringify({
      ...frame,
      provider: 'Anthropic',
      choices: [{ ...choice, message }],
      usage: bill(usage, reply),
    });
  },
  stream(reply) {
    const [first = '', ...rest] = chat.stream(withoutThought(reply));
    const [usage = '', done = ''] = rest.slice(-2);
    return [
      ': OPENROUTER PROCESSING\n\n',
      first,
      ...thoughtPieces(reply).map((delta) => event({ choices: [{ index: 0, delta, finish_reason: null }] })),
      ...rest.slice(0, -2),
      event({ choices: [], usage: bill(JSON.parse(usage.slice(6)).usage, reply) }),
      done,
    ];
  },
  error: (status, message) =>
    JSON.stringify({ error: { code: status, message, metadata: { provider_name: 'Anthropic' } }, user_id: 'user_1' }),
  streamError: (message) =>
    event({
      error: { code: 502, message },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    }),
  read(body, path) {
    const request = chat.read(body, path);
    const { messages } = JSON.parse(body) as { messages: readonly RouterMessage[] };
    const thoughts = messages.filter(({ role }) => role === 'assistant').map(readThought);
    let turn = 0;
    return {
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'assistant' ? { ...message, ...thoughts[turn++] } : message,
      ),
    };
  },
};

function withoutThought({ reasoning: _reasoning, ...reply }: WireReply): WireReply {
  return reply;
}

interface RouterMessage {
  readonly role: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly { readonly text?: string; readonly signature?: string }[];
}

function readThought({ reasoning, reasoning_details: details = [] }: RouterMessage) {
  const text = reasoning ?? details.map((detail) => detail.text ?? '').join('');
  const signature = details.find((detail) => detail.signature)?.signature;
  if (text === '' && signature === undefined) return {};
  return { reasoning: { text, ...(signature === undefined ? {} : { signature }) } };
}

const block = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 };

function thoughtOf({ reasoning }: WireReply) {
  if (!reasoning) return {};
  const { text, signature } = reasoning;
  return { reasoning: text, reasoning_details: [{ ...block, text, ...(signature ? { signature } : {}) }] };
}

/** The text in two pieces, its signature in a third. */
function thoughtPieces({ reasoning }: WireReply) {
  if (!reasoning) return [];
  const { text, signature } = reasoning;
  const half = Math.ceil(text.length / 2);
  return [
    ...[text.slice(0, half), text.slice(half)].map((piece) => ({
      content: '',
      reasoning: piece,
      reasoning_details: [{ ...block, text: piece }],
    })),
    ...(signature ? [{ content: '', reasoning: null, reasoning_details: [{ ...block, signature }] }] : []),
  ];
}

function bill(usage: { readonly prompt_tokens_details?: object }, { usage: said }: WireReply) {
  const write = said?.cacheWrite;
  const details = { ...usage.prompt_tokens_details, ...(write === undefined ? {} : { cache_write_tokens: write }) };
  return { ...usage, prompt_tokens_details: details, cost: 0.00125, is_byok: false };
}

function event(fields: object): string {
  return `data: ${JSON.stringify({ id: 'gen-1', object: 'chat.completion.chunk', model: 'a-model', ...fields })}\n\n`;
}
