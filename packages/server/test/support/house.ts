// A house for tests of sessions: a hall with agents, doors of both kinds, and a client that speaks of sessions.

import type { Agent, FailureClass, Json } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { onTestFinished } from 'vitest';
import { Hall, type HallOptions } from '../../src/index.ts';
import { type Arrived, inMemory, overSockets, type Sending, textOf, type Wire } from '../contract/wires.ts';
import { parseEvents, type ReadEvent } from './sse-events.ts';

export const wires = [
  ['in memory', inMemory],
  ['over sockets', overSockets],
] as const;

export type Connect = (hall: Hall) => Promise<Wire>;

export function hallOf(agents: readonly Agent[], options: Partial<HallOptions> = {}): Hall {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  return new Hall({ agents: () => served, ports: fakePorts(), ...options });
}

export interface Replied {
  readonly status: number;
  readonly headers: Headers;
  /** What was JSON, read. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface House {
  readonly hall: Hall;
  readonly wire: Wire;
  get(path: string, headers?: Record<string, string>): Promise<Replied>;
  post(path: string, body?: Json, headers?: Record<string, string>): Promise<Replied>;
  /** Starts one, and gives its id. */
  start(agent: string, input?: Json, more?: Record<string, Json>): Promise<string>;
  events(id: string, more?: Following): Promise<Arrived>;
  /** To the end of the stream. */
  heard(id: string, more?: Following): Promise<readonly ReadEvent[]>;
  /** The session, when it has ended. */
  ended(id: string): Promise<Replied['body']>;
}

interface Following {
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export async function openHouse(hall: Hall, connect: Connect = inMemory): Promise<House> {
  const wire = await connect(hall);
  onTestFinished(() => wire.close());
  const send = async (path: string, sending: Sending): Promise<Replied> => {
    const arrived = await wire.send(path, sending);
    const text = await textOf(arrived);
    const isJson = arrived.headers.get('content-type')?.includes('json') ?? false;
    return { status: arrived.status, headers: arrived.headers, body: isJson ? JSON.parse(text) : text };
  };
  const get = (path: string, headers = {}) => send(path, { headers });
  const post = (path: string, body?: Json, headers = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const events = (id: string, { after, signal }: Following = {}) =>
    wire.send(`/v1/sessions/${id}/events`, {
      headers: after === undefined ? {} : { 'last-event-id': String(after) },
      ...(signal ? { signal } : {}),
    });
  const heard = async (id: string, more?: Following) => {
    const all: ReadEvent[] = [];
    for await (const event of parseEvents((await events(id, more)).chunks)) all.push(event);
    return all;
  };
  return {
    hall,
    wire,
    get,
    post,
    events,
    heard,
    async start(agent, input = 'Go.', more = {}) {
      const { status, body } = await post('/v1/sessions', { agent, input, ...more });
      if (status !== 201) throw new TypeError(`${status}: ${JSON.stringify(body)}`);
      return body.id;
    },
    async ended(id) {
      await heard(id);
      return (await get(`/v1/sessions/${id}`)).body;
    },
  };
}

/** Of a reply that refuses: its status, and the code. */
export function refusal({ status, body }: Replied): readonly [number, string] {
  return [status, (body as { error: { code: string; class: FailureClass } }).error.code];
}

/** Opened from outside. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
