// The promise: on one channel for everything a question is asked too, a call that is lost ends as one that is cancelled does, and nothing of it is kept.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InMemoryTransport, Client as NewerClient } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AgentServers } from '../src/headends/mcp/agent-servers.ts';
import { serveConnection } from '../src/headends/mcp/connections.ts';
import type { Guest } from '../src/headends/mcp/guest.ts';
import { anybody, type Hall } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { heldAgent } from './support/governed.ts';
import { hallOf } from './support/house.ts';
import { type Revision, revisions } from './support/person-at-client.ts';

type Calls = (name: string) => Promise<{ readonly content: readonly { readonly text?: string }[] }>;

async function connect(revision: Revision, hall: Hall, guest: Omit<Guest, 'visitor'> = {}): Promise<Calls> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const servers = new AgentServers(hall, '1');
  const connection = serveConnection(servers, { visitor: anybody, ...guest }, far, { onError: () => {} });
  onTestFinished(() => connection.close());
  const capabilities = { elicitation: {} };
  const info = { name: 'test', version: '1' };
  const reply = { action: 'accept' as const, content: { answer: '1999' } };
  if (revision === '2025-11-25') {
    const client = new OlderClient(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, () => reply);
    await client.connect(near as never);
    return async (name) => (await client.callTool({ name, arguments: { text: 'Go.' } })) as Awaited<ReturnType<Calls>>;
  }
  const client = new NewerClient(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  client.setRequestHandler('elicitation/create', () => reply);
  await client.connect(near);
  return async (name) => (await client.callTool({ name, arguments: { text: 'Go.' } })) as Awaited<ReturnType<Calls>>;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe.each(revisions)('in revision %s', (revision) => {
  test('a question is answered', async () => {
    const ask = { name: 'ask_user', input: { question: 'Which year?' } };
    const agent = agentOf('curious', (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person' });
    const call = await connect(revision, hallOf([agent]));
    expect((await call('curious')).content).toEqual([{ type: 'text', text: '1999' }]);
  });

  test('one that is lost ends, and the others go on', async () => {
    const { agent, started, release } = heldAgent('slow');
    const hall = hallOf([agent]);
    const open = new Map<string | number, AbortController>();
    const lost: Guest['lost'] = (id) => {
      const controller = new AbortController();
      open.set(id, controller);
      return { signal: controller.signal, done: () => void open.delete(id) };
    };
    const call = await connect(revision, hall, { lost });
    const first = call('slow');
    await expect.poll(started).toBe(1);
    const [controller] = open.values();
    const second = call('slow');
    await expect.poll(started).toBe(2);
    controller?.abort();
    expect((await first).content[0]?.text).toMatch(/cancelled/);
    await expect.poll(() => [hall.running, open.size]).toEqual([1, 1]);
    release();
    release();
    expect((await second).content[0]?.text).toBe('I am slow.');
    await expect.poll(() => [hall.running, open.size]).toEqual([0, 0]);
  });

  test('who could lose it keeps nothing of it', async () => {
    const hall = hallOf([agentOf('quick', () => 'Said.')]);
    // One for the life of a connection, as no call may hang on it.
    const controller = new AbortController();
    const heard: WeakRef<object>[] = [];
    const any = AbortSignal.any.bind(AbortSignal);
    onTestFinished(() => {
      AbortSignal.any = any;
    });
    AbortSignal.any = (signals) => {
      const made = any(signals);
      heard.push(new WeakRef(made));
      return made;
    };
    const call = await connect(revision, hall, { lost: () => ({ signal: controller.signal, done: () => {} }) });
    for (let i = 0; i < 5; i++) await call('quick');
    await expect
      .poll(() => {
        collect();
        return [heard.length, heard.filter((one) => one.deref() !== undefined).length <= 1];
      })
      .toEqual([5, true]);
    expect(controller.signal.aborted).toBe(false);
  });
});
