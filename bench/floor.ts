// The floor: the scenario as a hand-written loop over fetch. It checks nothing, limits nothing, and keeps no record.

import type { SetUp } from './scenario.ts';

interface Message {
  readonly role: string;
  content: string | null;
  tool_calls?: Call[];
  readonly tool_call_id?: string;
}

interface Call {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; arguments: string };
}

type Work = (text: string, signal: AbortSignal) => Promise<string>;

interface Tools {
  readonly definitions: readonly object[];
  readonly work: Readonly<Record<string, Work>>;
}

export const floor: SetUp = async ({ baseURL, apiKey, model, fanout, stream, parentSystem, childSystem, prompt }) => {
  const url = `${baseURL}/chat/completions`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const options = stream ? { stream, stream_options: { include_usage: true } } : { stream };

  async function call(messages: readonly Message[], tools: readonly object[], signal: AbortSignal): Promise<Message> {
    const body = JSON.stringify({ model, messages, tools, ...options });
    const response = await fetch(url, { method: 'POST', headers, signal, body });
    if (!response.ok || !response.body) throw new TypeError(`HTTP ${response.status}`);
    if (stream) return readStream(response.body);
    const { choices } = (await response.json()) as { choices: [{ message: Message }] };
    return choices[0].message;
  }

  async function loop(prompts: readonly [string, string], tools: Tools, signal: AbortSignal): Promise<string> {
    const messages: Message[] = [
      { role: 'system', content: prompts[0] },
      { role: 'user', content: prompts[1] },
    ];
    for (;;) {
      const message = await call(messages, tools.definitions, signal);
      if (!message.tool_calls) return message.content ?? '';
      messages.push(message);
      const results = message.tool_calls.map(async ({ id, function: { name, arguments: args } }): Promise<Message> => {
        const { text } = JSON.parse(args) as { text: string };
        return { role: 'tool', tool_call_id: id, content: (await tools.work[name]?.(text, signal)) ?? '' };
      });
      messages.push(...(await Promise.all(results)));
    }
  }

  const ofChild = toTools({ local_calc: async (text) => `TOOL_OK ${text}` });
  const child: Work = (text, signal) => loop([childSystem, text], ofChild, signal);
  const ofParent = toTools(Object.fromEntries(Array.from({ length: fanout }, (_, i) => [`sub_${i}`, child])));
  return { run: (id) => loop([parentSystem, prompt(id)], ofParent, new AbortController().signal) };
};

function toTools(work: Tools['work']): Tools {
  const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
  const define = (name: string) => ({
    type: 'function',
    function: { name, description: `Works as ${name}`, parameters },
  });
  return { definitions: Object.keys(work).map(define), work };
}

/** Puts the message together from server-sent events, as they come. */
async function readStream(body: AsyncIterable<Uint8Array>): Promise<Message> {
  const message: Message = { role: 'assistant', content: '' };
  const decoder = new TextDecoder();
  let unread = '';
  for await (const bytes of body) {
    const events = (unread + decoder.decode(bytes, { stream: true })).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) if (event !== 'data: [DONE]') addDelta(message, event.slice('data: '.length));
  }
  return message;
}

function addDelta(message: Message, json: string): void {
  const { choices } = JSON.parse(json) as {
    choices: { delta: { content?: string; tool_calls?: (Call & { index: number })[] } }[];
  };
  const delta = choices[0]?.delta;
  if (delta?.content) message.content += delta.content;
  for (const { index, id, function: part } of delta?.tool_calls ?? []) {
    message.tool_calls ??= [];
    const call = message.tool_calls[index];
    if (call) call.function.arguments += part.arguments;
    else message.tool_calls[index] = { id, type: 'function', function: { ...part } };
  }
}
