// The promise: a hundred clients of every kind call agents with children at once, and each gets its own answer, its own progress and its
// own totals; nothing of them stays, neither runs nor places, connections nor timers. What stays in memory is seen by the soak, over more rounds.

import { afterAll, expect, test } from 'vitest';
import { answerOfTeam, usageOfTeam } from './support/echo-team.ts';
import { type Called, kinds } from './support/load-clients.ts';
import { type LoadServer, startLoadServer } from './support/start-load-server.ts';

const clients = 100;
const rounds = 2;

const opened = Object.entries(kinds);
let server: LoadServer | undefined;
afterAll(() => server?.kill());

test('round after round', async () => {
  server = await startLoadServer();
  for (let round = 0; round < rounds; round++) await runRound(server, round);
}, 120_000);

/** All of them at work at the same moment. */
async function runRound({ url, order }: LoadServer, round: number): Promise<void> {
  const { timers } = await order('collect');
  await order('hold');
  const words = Array.from({ length: clients }, (_, number) => `word-${round}-${number}`);
  const all = await Promise.all(words.map((word, number) => open(url, number, word)));
  await expect.poll(async () => (await order('state')).held, { timeout: 30_000 }).toEqual([...words, ...words].sort());
  expect((await order('state')).running).toBe(clients);
  await order('go');
  for (const { word, kind, called } of all) check(await called, word, kind);
  await Promise.all(all.map(({ client }) => client.close()));
  await expect.poll(async () => (await order('state')).sockets, { timeout: 10_000 }).toBe(0);
  const left = await order('collect');
  expect(left).toMatchObject({ held: [], aborted: [], running: 0, places: 0, completed: clients, others: 0, bugs: [] });
  expect(left.timers).toBeLessThanOrEqual(timers);
}

/** Connects and calls at once: a connection that nobody used for a while may be closed just when it is used again. */
async function open(url: string, number: number, word: string) {
  const [kind = '', connect] = opened[number % opened.length] ?? [];
  if (!connect) throw new TypeError('There are no kinds.');
  const client = await connect(url);
  return { client, kind, word, called: client.call(word) };
}

function check({ text, usage, status, told }: Called, word: string, kind: string): void {
  expect([kind, status, text]).toEqual([kind, 'completed', answerOfTeam(word)]);
  expect(usage).toMatchObject(usageOfTeam);
  // Of its own children, and of nobody else's.
  expect(told.filter((message) => /\b(?:left|right)\b/.test(message)).length, kind).toBeGreaterThan(0);
  expect(new Set(told.flatMap((message) => message.match(/word-\d+-\d+/g) ?? [])), kind).toEqual(new Set([word]));
}
