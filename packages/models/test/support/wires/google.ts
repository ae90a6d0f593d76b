// The Gemini API.

import type { Wire, WireReply, WireRequest } from './wire.ts';

const model = 'gemini-3-flash-preview';

export const google: Wire = {
  label: 'google',
  config: { type: 'google' },
  basePath: '/v1beta',
  model,
  auth: (key) => ['x-goog-api-key', key],
  paths: {
    whole: `/v1beta/models/${model}:generateContent`,
    streamed: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  },
  streamType: 'text/event-stream',
  settings: { temperature: 'generationConfig.temperature', maxOutputTokens: 'generationConfig.maxOutputTokens' },
  whole: (reply) => JSON.stringify(answer(partsOf(reply), { finishReason: finishOf(reply) }, reply)),
  stream(reply) {
    const pieces = partsOf(reply).flatMap(inHalves);
    return [
      ...pieces.map((part) => event(answer([part], {}, {}))),
      event(answer([{ text: '' }], { finishReason: finishOf(reply) }, reply)),
    ];
  },
  incompleteUntil: (events) => events.length - 1,
  error: (status, message) => JSON.stringify({ error: { code: status, message, status: names[status] ?? 'UNKNOWN' } }),
  streamError: (message) => event({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
  read(body, path) {
    const { contents = [], systemInstruction, tools = [] } = JSON.parse(body) as Body;
    return {
      system: (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join(''),
      messages: contents.map(toMessage),
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
      isStreamed: path.includes(':streamGenerateContent'),
    };
  },
};

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: Record<string, unknown> };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name: string;
    readonly response: { readonly content?: string; readonly error?: string };
  };
}

interface Body {
  readonly contents?: readonly { readonly role: 'user' | 'model'; readonly parts: readonly Part[] }[];
  readonly systemInstruction?: { readonly parts: readonly Part[] };
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

const names: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

function toMessage({ role, parts }: NonNullable<Body['contents']>[number]): WireRequest['messages'][number] {
  const results = parts.flatMap(({ functionResponse: response }) => (response ? [response] : []));
  const thoughts = parts.filter(({ thought }) => thought);
  const signature = thoughts.find(({ thoughtSignature }) => thoughtSignature)?.thoughtSignature;
  return {
    role: role === 'model' ? 'assistant' : results.length > 0 ? 'tool' : 'user',
    text: textIn(parts.filter(({ thought }) => !thought)),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ id: call.id ?? '', name: call.name, input: call.args }] : [],
    ),
    results: results.map(({ id = '', name, response }) => ({
      id,
      name,
      text: response.content ?? response.error ?? '',
    })),
    ...(thoughts.length === 0
      ? {}
      : { reasoning: { text: textIn(thoughts), ...(signature === undefined ? {} : { signature }) } }),
  };
}

function textIn(parts: readonly Part[]): string {
  return parts.map(({ text = '' }) => text).join('');
}

function partsOf({ reasoning, text = '', calls = [] }: WireReply): readonly Part[] {
  const signed = reasoning?.signature === undefined ? {} : { thoughtSignature: reasoning.signature };
  return [
    ...(reasoning ? [{ text: reasoning.text, thought: true, ...signed }] : []),
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ];
}

/** Words come in pieces, calls whole; what is signed has its signature in its last piece. */
function inHalves({ text, thoughtSignature, ...part }: Part): readonly Part[] {
  if (text === undefined || text.length < 2)
    return [{ ...part, ...(text ? { text } : {}), ...signedBy(thoughtSignature) }];
  const half = Math.ceil(text.length / 2);
  return [
    { ...part, text: text.slice(0, half) },
    { ...part, text: text.slice(half), ...signedBy(thoughtSignature) },
  ];
}

function signedBy(thoughtSignature: string | undefined): Part {
  return thoughtSignature === undefined ? {} : { thoughtSignature };
}

function answer(parts: readonly Part[], fields: object, { usage = { input: 10, output: 5 } }: WireReply) {
  const { input, output, cacheRead, reasoning } = usage;
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...fields }],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - (reasoning ?? 0),
      totalTokenCount: input + output,
      ...(cacheRead === undefined ? {} : { cachedContentTokenCount: cacheRead }),
      ...(reasoning === undefined ? {} : { thoughtsTokenCount: reasoning }),
    },
    modelVersion: model,
    responseId: 'response-1',
  };
}

function finishOf({ finish }: WireReply): string {
  if (finish === 'length') return 'MAX_TOKENS';
  return finish === 'content-filter' ? 'SAFETY' : 'STOP';
}

function event(fields: object): string {
  return `data: ${JSON.stringify(fields)}\r\n\r\n`;
}
