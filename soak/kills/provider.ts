// The models and the tool of the team, on the side that survives: answers from the request alone, after a random moment, whole or in pieces.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../chance.ts';
import { meaningOf, questionOf } from './team.ts';

/** What a model or the tool takes at most. */
const slowestMs = 30;

export interface Provider {
  readonly url: string;
  /** How often the tool was asked for this word. */
  lookedUp(word: string): number;
  close(): void;
}

export async function openProvider(chance: Chance): Promise<Provider> {
  const lookedUp = new Map<string, number>();
  const server = createServer((request, response) => void serve(request, response).catch(() => {}));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider');
    await pause(chance.upTo(slowestMs));
    if (pathname !== '/look-up') return reply(response, JSON.parse(body), chance);
    const word = searchParams.get('word') ?? '';
    lookedUp.set(word, (lookedUp.get(word) ?? 0) + 1);
    response.end(meaningOf(word));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lookedUp: (word) => lookedUp.get(word) ?? 0,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function reply(response: ServerResponse, asked: Asked, chance: Chance): Promise<void> {
  const said = answer(asked);
  if (asked.stream) await stream(response, said, chance);
  else response.setHeader('content-type', 'application/json').end(JSON.stringify(toCompletion(said)));
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly WireMessage[];
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[] | null;
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
}

interface Said {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: object };
}

function answer({ model, messages }: Asked): Said {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const since = messages.slice(at + 1);
  const [word = '', wish] = textOf(messages[at]).trim().split(' ');
  const results = since.filter(({ role }) => role === 'tool').map((message) => textOf(message).trim());
  return model === 'desk' ? ofDesk(word, wish, results) : ofClerk(word, wish, results);
}

function ofDesk(word: string, wish: string | undefined, results: readonly string[]): Said {
  const last = results.at(-1);
  if (last !== undefined) return { text: `desk: ${last}` };
  return {
    call: { name: 'agent__clerk', input: { text: [word, wish ?? ''].join(' ').trim(), reason: `about ${word}` } },
  };
}

/** Who begins again looks up, and asks, again: only the very clerk that has asked has both results. */
function ofClerk(word: string, wish: string | undefined, [meaning, colour]: readonly string[]): Said {
  if (meaning === undefined) return { call: { name: 'rest__look_up', input: { word } } };
  if (wish !== 'ask') return { text: meaning };
  if (colour === undefined) return { call: { name: 'ask_user', input: { question: questionOf(word) } } };
  return { text: `${meaning}, and is ${colour}` };
}

const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };

function toCompletion(said: Said) {
  const message = { role: 'assistant', content: said.text ?? null, ...callsOf(said) };
  const choice = { index: 0, message, finish_reason: said.call ? 'tool_calls' : 'stop' };
  return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage };
}

function callsOf({ call }: Said): object {
  if (!call) return {};
  const wire = { name: call.name, arguments: JSON.stringify(call.input) };
  return { tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: wire }] };
}

async function stream(response: ServerResponse, said: Said, chance: Chance): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = (choice: object, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }], ...more })}\n\n`,
    );
  write({ delta: { role: 'assistant', content: '', ...callsOf(said) } });
  for (const content of (said.text ?? '').match(/\S+\s*/g) ?? []) {
    if (chance.isTrue(0.3)) await pause(chance.upTo(4));
    write({ delta: { content } });
  }
  write({ delta: {}, finish_reason: said.call ? 'tool_calls' : 'stop' }, { usage });
  response.end('data: [DONE]\n\n');
}

function textOf(message: WireMessage | undefined): string {
  if (typeof message?.content === 'string') return message.content;
  return (message?.content ?? []).map((part) => part.text ?? '').join('');
}
