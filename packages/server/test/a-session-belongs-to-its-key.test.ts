// The promise: a session is read, followed, answered, stopped and cancelled by the key that started it; to others there is none.

import { createHash } from 'node:crypto';
import { fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { createApp, Hall, Keys, listen, rest } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';

const hash = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const ada = { authorization: 'Bearer key-of-ada' };
const bob = { authorization: 'Bearer key-of-bob' };

function houseOfTwo() {
  const asks = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  const agent = agentOf('curious', (request) => lastResult(request) ?? asks, { ask: 'person' });
  const ports = fakePorts();
  const hall = new Hall({ agents: () => [{ name: 'curious', agent }], ports });
  const keys = new Keys({ ada: { hash: hash('key-of-ada') }, bob: { hash: hash('key-of-bob') } }, ports.clock);
  return { hall, app: createApp(hall, [rest()], { keys }) };
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

async function overSocket(ask: (ask: Ask) => Promise<void>): Promise<void> {
  const { app } = houseOfTwo();
  const listening = await listen(app, { port: 0 });
  await ask((path, init) => fetch(`${listening.url}${path}`, init));
  await listening.close();
}

async function inMemory(ask: (ask: Ask) => Promise<void>): Promise<void> {
  const { app } = houseOfTwo();
  await ask(async (path, init) => app.request(path, init));
}

describe.each([
  ['in memory', inMemory],
  ['over sockets', overSocket],
] as const)('%s', (_name, open) => {
  test('what is of another is as unknown as what is not there', async () => {
    await open(async (ask) => {
      const json = { 'content-type': 'application/json' };
      const body = JSON.stringify({ agent: 'curious', input: 'Go.' });
      const created = await ask('/v1/sessions', { method: 'POST', headers: { ...ada, ...json }, body });
      const { id } = (await created.json()) as { id: string };
      await (await ask(`/v1/sessions/${id}/events`, { headers: ada })).text();
      const answer = { method: 'POST', body: JSON.stringify({ answer: 'mine' }) };
      const routes: readonly [string, RequestInit][] = [
        ['', {}],
        ['/events', {}],
        ['/stop', { method: 'POST' }],
        ['/cancel', { method: 'POST' }],
        ['/answer', answer],
      ];
      for (const [route, init] of routes) {
        const told = async (known: string) => {
          const response = await ask(`/v1/sessions/${known}${route}`, { ...init, headers: { ...bob, ...json } });
          return [response.status, await response.text()];
        };
        const [status, text] = await told(id);
        expect([status, text]).toEqual(await told('nobody-has-this'));
        expect(status).toBe(404);
        expect(text).toContain('session-unknown');
      }
      const listed = async (headers: Record<string, string>) =>
        ((await (await ask('/v1/sessions', { headers })).json()) as { sessions: unknown[] }).sessions.length;
      expect([await listed(bob), await listed(ada)]).toEqual([0, 1]);
      // Nothing that bob did has touched it.
      const mine = await ask(`/v1/sessions/${id}/answer`, { ...answer, headers: { ...ada, ...json } });
      expect(mine.status).toBe(202);
      const events = await (await ask(`/v1/sessions/${id}/events`, { headers: ada })).text();
      expect(events).toContain('"status":"completed"');
    });
  });

  test('while it runs, too, and without a key at all', async () => {
    await open(async (ask) => {
      for (const route of ['', '/events']) expect((await ask(`/v1/sessions/s1${route}`)).status).toBe(401);
    });
  });
});

test.each(['@terminal', '@library'])('no key is called %s: what is run there is nobody else’s', (name) => {
  const keys = () => new Keys({ [name]: { hash: hash('secret') } }, fakePorts().clock);
  expect(keys).toThrow(expect.objectContaining({ code: 'config-invalid' }));
});
