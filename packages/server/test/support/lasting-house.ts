// A house whose sessions are in a file: it is left as it is, as a process that is killed leaves it, and opened again elsewhere with
// nothing but the file. Clients go on asking at the same address.

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent, Clock } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import * as newer from '@modelcontextprotocol/client';
import * as older from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { openStore, type Store } from '../../../store/src/index.ts';
import { anthropic, createApp, Hall, mcp, openai, rest } from '../../src/index.ts';
import type { Connect } from '../contract/wires.ts';
import { type Sending, toWire } from '../contract/wires.ts';
import type { McpRoute } from './mcp-routes.ts';

export interface LastingHouse {
  /** The store of the house that is open now. */
  store(): Store;
  /** Opens it with these agents. Whoever comes from now on comes there. */
  open(agents: readonly Agent[]): Promise<void>;
  /** Whatever hall is given: to the house that is open. */
  readonly connect: Connect;
  /** The same to the one that is open now, whichever is opened later: it goes on beside that. */
  fixed(): Connect;
  readonly route: McpRoute;
}

export async function lastingHouse(): Promise<LastingHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'lasting-'));
  const close: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    for (const each of close) await each();
    await rm(folder, { recursive: true });
  });
  let current: Opened | undefined;
  const opened = () => {
    if (!current) throw new TypeError('The house is not open.');
    return current;
  };
  const send = (path: string, sending?: Sending) => opened().wire.send(path, sending);
  const fetchHere: typeof fetch = async (url, init) => opened().app.request(url as URL, init as RequestInit);
  return {
    store: () => opened().store,
    async open(agents) {
      current = await openHouse(join(folder, 'sessions.sqlite'), agents);
      close.unshift(current.close);
    },
    connect: async () => ({ send, close: async () => {} }),
    fixed() {
      const { wire } = opened();
      return async () => wire;
    },
    route: {
      name: 'over HTTP',
      serve: async () => ({
        address: [address],
        way: (sdk) => ({ transport: toTransport(sdk, fetchHere), drop: () => {} }),
        close: async () => {},
      }),
    },
  };
}

const address = 'http://127.0.0.1/mcp';

function toTransport(sdk: '1.x' | '2.x', fetchHere: typeof fetch): unknown {
  const { StreamableHTTPClientTransport } = sdk === '1.x' ? older : newer;
  return new StreamableHTTPClientTransport(new URL(address), { fetch: fetchHere });
}

type Opened = Awaited<ReturnType<typeof openHouse>>;

async function openHouse(path: string, agents: readonly Agent[]) {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const store = await openStore(path, {});
  const hall = new Hall({
    agents: () => served,
    ports: fakePorts({ clock, ids: { next: randomUUID } }),
    store,
  });
  const tools = mcp();
  const app = createApp(hall, [rest(), openai(), anthropic(), tools]);
  return {
    store,
    app,
    wire: toWire(app),
    async close() {
      await tools.close?.();
      await hall.stop(0);
      await store.close();
    },
  };
}

const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, then, isIdle) {
    const timer = setTimeout(then, ms);
    if (isIdle) timer.unref();
    return () => clearTimeout(timer);
  },
};
