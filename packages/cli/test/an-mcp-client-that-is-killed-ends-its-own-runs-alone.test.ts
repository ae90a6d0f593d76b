// The promise: a client process that is killed in the middle of its calls ends the runs of these calls, down to their children, and nobody
// else's; the rest get their right answers, and whoever comes next is served.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { answerOfTeam } from './support/echo-team.ts';
import { kinds } from './support/load-clients.ts';
import { type LoadServer, startLoadServer } from './support/start-load-server.ts';

let server: LoadServer | undefined;
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await server?.kill();
});

const twice = (words: readonly string[]) => [...words, ...words].sort();

test('processes of every kind, killed at one moment beside clients of every kind', async () => {
  server = await startLoadServer();
  const { url, order } = server;
  const names = Object.keys(kinds);
  await order('hold');
  const stay = names.map((_, i) => `word-stays-${i}`);
  const clients = await Promise.all(names.map((name) => kinds[name]?.(url)));
  const calls = clients.map((client, i) => client?.call(stay[i] ?? ''));
  const doomed = names.map((_, i) => [`word-doomed-${i}-a`, `word-doomed-${i}-b`]);
  for (const [i, name] of names.entries()) children.push(startClient(name, url, doomed[i] ?? []));
  const all = [...stay, ...doomed.flat()];
  await expect.poll(async () => (await order('state')).held, { timeout: 60_000 }).toEqual(twice(all));
  for (const child of children) child.kill('SIGKILL');
  await expect.poll(async () => (await order('state')).held, { timeout: 20_000 }).toEqual(twice(stay));
  expect((await order('state')).aborted).toEqual(twice(doomed.flat()));
  await order('go');
  const answers = await Promise.all(calls);
  expect(answers.map((called) => called?.text)).toEqual(stay.map(answerOfTeam));
  const fresh = await Promise.all(names.map((name) => kinds[name]?.(url)));
  const next = await Promise.all(fresh.map((client, i) => client?.call(`word-next-${i}`)));
  expect(next.map((called) => called?.text)).toEqual(names.map((_, i) => answerOfTeam(`word-next-${i}`)));
  await Promise.all([...clients, ...fresh].map((client) => client?.close()));
  await expect
    .poll(async () => await order('state'), { timeout: 10_000 })
    .toMatchObject({
      running: 0,
      places: 0,
      sockets: 0,
      completed: 2 * names.length,
      others: 2 * names.length,
      bugs: [],
    });
}, 120_000);

function startClient(kind: string, url: string, words: readonly string[]): ChildProcess {
  const file = join(import.meta.dirname, 'support/load-client.ts');
  return fork(file, [kind, url, ...words], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}
