// The promise: what a request says of the agents above it may only narrow. Nobody is less deep by it, nobody takes a place with it
// that is not his, and what is no such header is said to be none.

import { type Agent, AgentError } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { callerOf } from '../src/caller.ts';
import { createApp, Hall, rest } from '../src/index.ts';
import { tokenOf } from '../src/token.ts';

describe('a header', () => {
  test.each([
    ['x-ai-agent-depth', '-1'],
    ['x-ai-agent-depth', ''],
    ['x-ai-agent-depth', '1.5'],
    ['x-ai-agent-depth', '1e3'],
    ['x-ai-agent-depth', '1, 2'],
    ['x-ai-agent-depth', '10000'],
    ['x-ai-agent-depth', 'NaN'],
    ['x-ai-agent-ancestry', ''],
    ['x-ai-agent-ancestry', 'a::b'],
    ['x-ai-agent-ancestry', '%'],
    ['x-ai-agent-ancestry', '%E0%A4%A'],
    ['x-ai-agent-ancestry', 'a%0D%0Aset-cookie%3A%20x'],
    ['x-ai-agent-ancestry', 'b%C3%BCro'],
    ['x-ai-agent-ancestry', 'a'.repeat(129)],
    ['x-ai-agent-ancestry', 'a~'],
    ['x-ai-agent-ancestry', 'a~b~c'],
    ['x-ai-agent-ancestry', 'a~%2Fsrv%2Fa.ai'],
    ['x-ai-agent-ancestry', `a~${'b'.repeat(65)}`],
    ['x-ai-agent-ancestry', Array(129).fill('a').join(':')],
    ['x-ai-agent-tree', ''],
    ['x-ai-agent-tree', 'A'.repeat(32)],
    ['x-ai-agent-tree', '__proto__'],
    ['x-ai-agent-tree', `${'0'.repeat(32)}, ${'0'.repeat(32)}`],
  ])('%s: %s is refused', async (name, value) => {
    const { ask } = open({ places: 1 });
    const response = await ask('b', { [name]: value });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { class: 'usage', code: 'request-invalid' } });
  });

  test('that nobody sent says nothing', () => {
    expect(callerOf(new Headers({ accept: '*/*' }))).toBeUndefined();
  });
});

test('names and levels are honoured, whichever is more', async () => {
  const { ask } = open({ places: 1 });
  const codeOf = async (headers: Record<string, string>) => {
    const response = await ask('flat', headers);
    return response.ok ? 'ok' : ((await response.json()) as { error: { code: string } }).error.code;
  };
  expect(await codeOf({ 'x-ai-agent-ancestry': 'x:y:z' })).toBe('ok');
  expect(await codeOf({ 'x-ai-agent-ancestry': 'x:y:z:w' })).toBe('depth-limit');
  expect(await codeOf({ 'x-ai-agent-ancestry': 'x:y:z:w', 'x-ai-agent-depth': '0' })).toBe('depth-limit');
  expect(await codeOf({ 'x-ai-agent-depth': '3' })).toBe('ok');
  expect(await codeOf({ 'x-ai-agent-depth': '4' })).toBe('depth-limit');
  expect(await codeOf({ 'x-ai-agent-ancestry': 'x:flat' })).toBe('agent-cycle');
  expect(await codeOf({ 'x-ai-agent-ancestry': 'x~flat:y' })).toBe('agent-cycle');
  expect(await codeOf({ 'x-ai-agent-ancestry': 'x~1:flat~2' })).toBe('ok');
  expect(await codeOf({ 'x-ai-agent-ancestry': 'x~1@acme:y~2@acme' })).toBe('ok');
});

describe('a token', () => {
  test('of a tree that waits here lets one in where there is no place left; without it nobody comes in', async () => {
    const { ask, running } = open({ places: 1 });
    const { token, end } = await running();
    expect((await ask('b')).status).toBe(503);
    expect((await ask('b', { 'x-ai-agent-tree': token })).status).toBe(200);
    await end();
    expect((await ask('b')).status).toBe(200);
  });

  test('of a tree that has ended, or of another process, is no more than none', async () => {
    const { ask, running } = open({ places: 1 });
    const first = await running();
    await first.end();
    const second = await running();
    for (const token of [first.token, 'f'.repeat(32)])
      expect((await ask('b', { 'x-ai-agent-tree': token })).status).toBe(503);
    await second.end();
  });

  test('cannot be made of what a client is told', async () => {
    const { running } = open({ places: 1 });
    const { id, token, end } = await running();
    const { hash } = await import('node:crypto');
    for (const text of [id, `ai-agent ${id}`, ` ${id}`, `undefined ${id}`])
      expect(hash('sha256', text).slice(0, 32)).not.toBe(token);
    await end();
  });

  test('shown by a stranger leaves him as deep as the tree is, and no agent of it is called', async () => {
    const { ask, running } = open({ places: 1 });
    const { token, end } = await running({ 'x-ai-agent-ancestry': 'x:y:z' });
    const tree = { 'x-ai-agent-tree': token };
    expect((await ask('waits', tree)).status).toBe(409);
    expect((await ask('waits', { ...tree, 'x-ai-agent-ancestry': 'z', 'x-ai-agent-depth': '0' })).status).toBe(409);
    expect((await ask('b', tree)).status).toBe(200);
    expect((await ask('flat', { ...tree, 'x-ai-agent-depth': '0' })).status).toBe(409);
    await end();
  });

  test('lets in whoever a run waits for that has its time when the server stops, until that is over', async () => {
    const { ask, running, hall } = open({ places: 1 });
    const { token, end } = await running();
    const stopped = hall.stop(10_000);
    expect((await ask('b', { 'x-ai-agent-tree': token })).status).toBe(200);
    expect((await ask('b')).status).toBe(503);
    hall.cancelAll();
    expect((await ask('b', { 'x-ai-agent-tree': token })).status).toBe(503);
    expect(await end()).toBe(503);
    expect(await stopped).toBe(0);
  });

  test('gives as many places as there are, and no more', async () => {
    const { ask, running, hall } = open({ places: 2 });
    const { token, end } = await running();
    const inside = [
      await running({ 'x-ai-agent-tree': token }, 'waits2'),
      await running({ 'x-ai-agent-tree': token }, 'waits3'),
    ];
    expect((await ask('b', { 'x-ai-agent-tree': token })).status).toBe(503);
    for (const one of inside) await one.end();
    await end();
    expect(hall.placesOf('rest').running).toBe(0);
  });
});

/** A server with so many places, nobody waiting; agents that answer, and some that do when they are told to. */
function open({ places }: { readonly places: number }) {
  const waiting = new Map<string, () => void>();
  const slow = (name: string): Agent => {
    const script = () => ({ text: name, until: new Promise<void>((go) => waiting.set(name, go)) });
    return { name, instructions: 'Wait.', model: scriptedModel(script) };
  };
  const fast = (name: string, maxDepth: number): Agent => {
    return { name, instructions: 'Go.', model: scriptedModel(() => name), limits: { maxDepth } };
  };
  const agents = [fast('b', 4), fast('flat', 3), ...['waits', 'waits2', 'waits3'].map(slow)];
  const hall = new Hall({
    agents: () => agents.map((agent) => ({ name: agent.name, agent })),
    ports: fakePorts(),
    places: { rest: { running: places, waiting: 0 } },
    onBug: (error) => {
      throw new AgentError('internal', 'A bug.', { cause: error });
    },
  });
  const app = createApp(hall, [rest()]);
  const ask = async (name: string, headers: Record<string, string> = {}) =>
    await app.request(`/v1/${name}?q=go`, { headers });
  const running = async (headers: Record<string, string> = {}, name = 'waits') => {
    const before = (await hall.store.list({ owner: null, limit: 1_000 })).map(({ id }) => id);
    const reply = ask(name, headers);
    while (!waiting.has(name)) await new Promise((resolve) => setImmediate(resolve));
    const id =
      (await hall.store.list({ owner: null, limit: 1_000 }))
        .map((head) => head.id)
        .find((one) => !before.includes(one)) ?? '';
    const end = async () => {
      waiting.get(name)?.();
      waiting.delete(name);
      return (await reply).status;
    };
    return { id, token: tokenOf(id), end };
  };
  return { ask, running, hall };
}
