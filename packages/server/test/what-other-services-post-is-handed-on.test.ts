// The promise: what another service posts is handed on byte by byte without a key of ours, bounded, and under any name of the server.

import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { createApp, Hall, hashOf, hook, Keys, rest } from '../src/index.ts';

function appOf() {
  const hall = new Hall({ agents: () => [], ports: fakePorts() });
  const came: string[] = [];
  const posted = hook({
    name: 'slack',
    paths: ['/slack/events'],
    async handle(request) {
      came.push(`${request.headers.get('x-slack-signature')} ${await request.text()}`);
      return new Response('taken');
    },
  });
  const keys = new Keys({ desk: { hash: hashOf('a-key-of-the-desk') } }, hall.clock);
  return { came, closed: createApp(hall, [rest(), posted], { keys }), open: createApp(hall, [rest(), posted]) };
}

const post = (body: string, headers: Record<string, string> = {}) => ({ method: 'POST', body, headers });

test.each(['closed', 'open'] as const)('where the server is %s', async (door) => {
  const { came, ...apps } = appOf();
  const headers = { 'x-slack-signature': 'v0=1', host: 'agents.example.com', origin: 'https://example.com' };
  const reply = await apps[door].request('/slack/events', post('payload=%7B%22a%22%3A%22é%22%7D', headers));
  expect([reply.status, await reply.text()]).toEqual([200, 'taken']);
  expect(came).toEqual(['v0=1 payload=%7B%22a%22%3A%22é%22%7D']);
});

test('another method, another path and too much are refused, and nobody is asked', async () => {
  const { came, closed } = appOf();
  const read = await closed.request('/slack/events');
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await closed.request('/slack/others', post('x'))).status).toBe(401);
  expect((await closed.request('/slack/events', post('x'.repeat(1024 * 1024 + 1)))).status).toBe(413);
  expect(came).toEqual([]);
});
