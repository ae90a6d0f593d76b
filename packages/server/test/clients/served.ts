// Agents behind a port of this machine, for clients that take them for models; and what went over the wire.

import type { Agent } from '@ai-agent/core';
import { countingIds, FakeClock, fakePorts } from '@ai-agent/core/testing';
import { afterAll } from 'vitest';
import { type AppOptions, anthropic, createApp, Hall, hashOf, Keys, listen, openai, rest } from '../../src/index.ts';

export interface Served {
  readonly url: string;
  readonly hall: Hall;
  /** What one client sends, and what it is told. */
  watch(): Watched;
}

export interface Watched {
  /** For the client to send with. */
  readonly fetch: typeof fetch;
  /** Of every request, oldest first: the session that answered. */
  readonly sessions: readonly (string | null)[];
  readonly statuses: readonly number[];
  /** The paths, with what follows them. */
  readonly paths: readonly string[];
  /** What was sent, read. */
  readonly bodies: readonly ReturnType<typeof JSON.parse>[];
}

/** One for a whole file: it is closed when the last of its tests has ended. */
export async function serve(agents: readonly Agent[], options: AppOptions = {}): Promise<Served> {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: fakePorts({ ids: countingIds() }) });
  const listening = await listen(createApp(hall, [openai(), anthropic(), rest()], options), { port: 0 });
  afterAll(() => listening.close(0));
  return { url: listening.url, hall, watch };
}

/** The key that opens the door, and one that has asked as often as it may. */
export const key = 'sk-of-the-house';
export const hastyKey = 'sk-of-the-hasty';

export function keysOfHouse(): Keys {
  const keys = { house: { hash: hashOf(key) }, hasty: { hash: hashOf(hastyKey), requestsPerMinute: 1 } };
  return new Keys(keys, new FakeClock());
}

function watch(): Watched {
  const sessions: (string | null)[] = [];
  const statuses: number[] = [];
  const paths: string[] = [];
  const bodies: unknown[] = [];
  return {
    sessions,
    statuses,
    paths,
    bodies,
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input);
      paths.push(url.pathname + url.search);
      bodies.push(typeof init?.body === 'string' ? JSON.parse(init.body) : undefined);
      const response = await fetch(input, init);
      sessions.push(response.headers.get('x-ai-agent-session'));
      statuses.push(response.status);
      return response;
    },
  };
}
