// Agents taken for models as a door: a client that keeps the conversation and sends all of it again, whichever API it speaks.

import { type Agent, type FailureClass, type Json, MemoryPauses } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect } from 'vitest';
import { anthropic, Hall, openai, rest } from '../../src/index.ts';
import { type RawEvent, rawEvents } from '../support/sse-events.ts';
import type { Answered, Begun, Door, OpenDoor, Request, Streamed } from './door.ts';
import { type Arrived, type Connect, textOf, type Wire } from './wires.ts';

// What was JSON, read.
export type Read = ReturnType<typeof JSON.parse>;

/** The same conversation as one API has it. */
export interface ModelApi {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  toBody(talk: ModelTalk): object;
  fromBody(body: Read): Told;
  /** What a stream comes to; tells every piece of the answer. Throws when something is not as clients want it. */
  fromEvents(events: AsyncIterable<RawEvent>, onPiece: (piece: string) => void): Promise<Told | ToldError>;
}

export interface ModelTalk extends Pick<Request, 'agent' | 'schema'> {
  readonly said: readonly Line[];
  /** What the API called the last reply of this conversation. */
  readonly previous?: string | undefined;
}

export interface Line {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface Told {
  readonly text: string;
  /** The extension that says what the API has no field for. */
  readonly about: { readonly session_id: string; readonly status: Answered['status']; readonly limit?: string };
  readonly id?: string;
}

export interface ToldError {
  /** With the remedy at its end. */
  readonly message: string;
  readonly ai_agent: { readonly class: FailureClass; readonly remedy: string; readonly session_id?: string };
}

interface ModelDoor {
  readonly name: string;
  readonly connect: Connect;
  readonly api: ModelApi;
}

export function modelDoor({ name, connect, api }: ModelDoor): Door {
  return {
    name,
    cannot: { 'refuse an answer': 'an answer is a message like any other, and is replied to: it is asked again' },
    async open(agents) {
      const served = agents.map((agent) => ({ name: agent.name, agent }));
      const hall = new Hall({ agents: () => served, ports: fakePorts({ pauses: new MemoryPauses() }) });
      // All on one port, as they are served.
      return toOpenDoor(await connect(hall, [rest(), openai(), anthropic()]), api, agents);
    },
  };
}

function toOpenDoor(wire: Wire, api: ModelApi, agents: readonly Agent[]): OpenDoor {
  /** By the session that waits for an answer. */
  const talks = new Map<string, ModelTalk>();
  const begin = (talk: ModelTalk, how: 'ask' | 'stream'): Begun & { readonly streamed: Promise<Streamed> } => {
    const gone = new AbortController();
    const body = JSON.stringify({ ...api.toBody(talk), ...(how === 'stream' ? { stream: true } : {}) });
    const headers = { 'content-type': 'application/json', ...api.headers };
    const read = async (arrived: Arrived): Promise<Streamed> => {
      const pieces: string[] = [];
      const told = await readReply(api, arrived, (piece) => pieces.push(piece));
      if (!('about' in told)) return { pieces, answered: fromError(told) };
      if (how === 'stream') expect(told.text, 'the pieces are the answer').toBe(pieces.join(''));
      const said = [...talk.said, { role: 'assistant', text: told.text } as const];
      talks.set(told.about.session_id, { ...talk, said, previous: told.id });
      return { pieces, answered: fromTold(told, isData(talk, agents)) };
    };
    const streamed = wire.send(api.path, { method: 'POST', headers, body, signal: gone.signal }).then(read);
    const answered = streamed.then((all) => all.answered);
    answered.catch(() => {});
    return {
      streamed,
      answered,
      leave: () => gone.abort(),
      // These APIs have no word for it, but the house has, on the same port.
      async cancel() {
        const { sessions } = JSON.parse(await textOf(await wire.send('/v1/sessions')));
        await textOf(await wire.send(`/v1/sessions/${sessions[0].id}/cancel`, { method: 'POST' }));
      },
    };
  };
  return {
    begin: (request, how) => begin(toTalk(request), how),
    ask: (request) => begin(toTalk(request), 'ask').answered,
    stream: (request) => begin(toTalk(request), 'stream').streamed,
    answer({ sessionId }, answer) {
      const talk = talks.get(sessionId);
      if (!talk) throw new TypeError(`Nothing was said with ${sessionId}.`);
      return begin({ ...talk, said: [...talk.said, { role: 'user', text: toText(answer) }] }, 'ask').answered;
    },
    close: () => wire.close(),
  };
}

function toTalk({ agent, input, schema }: Request): ModelTalk {
  return { agent, said: [{ role: 'user', text: toText(input) }], ...(schema ? { schema } : {}) };
}

function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Clients know it of what they asked for, and of the agent. */
function isData({ agent, schema }: ModelTalk, agents: readonly Agent[]): boolean {
  return schema !== undefined || agents.find(({ name }) => name === agent)?.output?.format === 'json';
}

async function readReply(api: ModelApi, arrived: Arrived, onPiece: (piece: string) => void): Promise<Told | ToldError> {
  if (arrived.headers.get('content-type')?.startsWith('text/event-stream'))
    return api.fromEvents(rawEvents(arrived.chunks), onPiece);
  const body: Read = JSON.parse(await textOf(arrived));
  if (arrived.status >= 400) return body.error;
  const told = api.fromBody(body);
  expect(arrived.headers.get('x-ai-agent-session')).toBe(told.about.session_id);
  expect(arrived.headers.get('x-ai-agent-status')).toBe(told.about.status);
  return told;
}

function fromTold({ text, about }: Told, hasContract: boolean): Answered {
  const { session_id: sessionId, status, limit } = about;
  if (status === 'needs_user_input') return { status, sessionId, text: '', question: text };
  const report = hasContract ? parse(text, status) : undefined;
  return {
    status,
    sessionId,
    text,
    ...(report === undefined ? {} : { report }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** What was not finished may be no data. */
function parse(text: string, status: Answered['status']): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (status === 'partial') return undefined;
    throw error;
  }
}

function fromError({ message, ai_agent: about }: ToldError): Answered {
  const { class: kind, remedy, session_id: sessionId = '' } = about;
  expect(message.endsWith(` ${remedy}`), 'people read what to do as well').toBe(true);
  const failure = { class: kind, message: message.slice(0, -remedy.length - 1), remedy };
  return { status: kind === 'cancelled' ? 'cancelled' : 'failed', text: '', sessionId, failure };
}
