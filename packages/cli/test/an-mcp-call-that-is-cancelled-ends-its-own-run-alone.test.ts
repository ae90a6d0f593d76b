// The promise: of many calls on one connection the one that is cancelled ends its run, down to its children, and no other; over every
// transport and revision, with clients of both majors of the SDK.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerOfTeam } from './support/echo-team.ts';
import { kinds } from './support/load-clients.ts';
import { type LoadServer, startLoadServer } from './support/start-load-server.ts';

let server: LoadServer;
beforeAll(async () => {
  server = await startLoadServer();
});
afterAll(() => server.kill());

test.each(Object.entries(kinds))('%s', async (_kind, connect) => {
  const { url, order } = server;
  await order('forget');
  await order('hold');
  const client = await connect(url);
  const stay = ['word-one', 'word-three'];
  const calls = stay.map((word) => client.call(word));
  const ending = new AbortController();
  const cancelled = client.call('word-two', ending.signal).catch((error: unknown) => error);
  const all = ['word-one', 'word-one', 'word-three', 'word-three', 'word-two', 'word-two'];
  await expect.poll(async () => (await order('state')).held).toEqual(all);
  ending.abort('not needed');
  expect(String(await cancelled)).toContain('not needed');
  await expect.poll(async () => (await order('state')).aborted).toEqual(['word-two', 'word-two']);
  expect((await order('state')).running).toBe(2);
  await order('go');
  expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(stay.map(answerOfTeam));
  // The connection is as good as before.
  expect((await client.call('word-four')).text).toBe(answerOfTeam('word-four'));
  await client.close();
  await expect.poll(async () => await order('state')).toMatchObject({ running: 0, places: 0, bugs: [] });
});
