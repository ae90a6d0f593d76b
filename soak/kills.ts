// A server is killed a hundred times, at random moments and under load: whatever its clients were told is true when it is there again.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Chance } from './chance.ts';
import { crowd } from './kills/crowd.ts';
import { Judge } from './kills/judge.ts';
import { openProvider, type Provider } from './kills/provider.ts';
import { listSessions, type Place, spawnServer, startServer } from './kills/server.ts';
import { writeTeam } from './kills/team.ts';
import { Told } from './kills/told.ts';
import type { Processes } from './processes.ts';

export interface KillsOptions {
  readonly processes: Processes;
  readonly say: (text: string) => void;
  /** A folder for the team and its stores. */
  readonly data: string;
  /** Of all that is left to chance. @default another one each time */
  readonly seed?: number | undefined;
  /** @default 100 */
  readonly kills?: number | undefined;
}

/** Before a store is there for the first time. */
const killsAtFirst = 3;
/** Of those after it: while the store is opened. */
const earlyShare = 0.12;
/** When it is killed, from when clients have come: after this long, half of the time also only when they were told so much. */
const load = { leastMs: 50, mostMs: 700, told: 150, longestMs: 2_500 };
/** To compare with, each after so many kills: a start with nothing in the store. */
const killsPerEmpty = 15;
/** Far from what a store that has to be repaired would take, and far from what chance does to a start. */
const slowestRatio = 2;

export async function kills({
  processes,
  say,
  data,
  seed = newSeed(),
  kills: count = 100,
}: KillsOptions): Promise<void> {
  say(`kills of a server: --seed ${seed}`);
  const chance = new Chance(seed);
  const provider = await openProvider(chance);
  const folder = join(data, 'team');
  await writeTeam(folder, provider.url);
  const place = { processes, folder };
  const scene = { place, store: join(data, 'sessions.sqlite'), chance, told: new Told(), provider, say };
  try {
    compareStarts(await killAndStart(scene, count), say);
    await checkEnd(scene);
  } finally {
    provider.close();
  }
}

interface Scene {
  readonly place: Place;
  readonly store: string;
  readonly chance: Chance;
  readonly told: Told;
  readonly provider: Provider;
  readonly say: (text: string) => void;
}

/** How long starts took, to the first reply. */
interface Starts {
  readonly afterKills: number[];
  readonly empty: number[];
}

async function killAndStart(scene: Scene, count: number): Promise<Starts> {
  const { place, store, chance, told, provider, say } = scene;
  const judge = new Judge(told, provider);
  const starts: Starts = { afterKills: [], empty: [] };
  let early = 0;
  for (let killed = 1; killed <= count; killed++) {
    const typical = median(starts.afterKills) ?? 600;
    if (killed <= killsAtFirst || chance.isTrue(earlyShare)) {
      await killEarly(scene, typical);
      early++;
    } else {
      const server = await startServer(place, store);
      starts.afterKills.push(server.firstReplyMs);
      await judge.judge(server.url, chance);
      const visited = crowd({ url: server.url, told, chance });
      await moment(told, chance);
      visited.leave();
      await server.process.kill();
      await visited.gone;
    }
    if (killed % killsPerEmpty === 0) starts.empty.push(await startEmpty(place, `${store}-${killed}`));
    if (killed % 10 === 0) say(`${killed} kills, ${early} of them while it started: ${judge.report()}`);
  }
  for (const [what, times] of Object.entries(judge.seen)) assert.ok(times > 0, `after ${count} kills: no ${what}`);
  return starts;
}

/** On a busy machine little is told in a short while, and a kill has nothing to destroy. */
async function moment(told: Told, chance: Chance): Promise<void> {
  const until = performance.now() + load.longestMs;
  const enough = told.facts + told.outcomes + (chance.isTrue(0.5) ? chance.upTo(load.told) : 0);
  await pause(chance.between(load.leastMs, load.mostMs));
  while (told.facts + told.outcomes < enough && performance.now() < until) await pause(1);
}

/** Somewhere in its start, mostly while it opens the store. */
async function killEarly({ place, store, chance }: Scene, typicalMs: number): Promise<void> {
  const server = spawnServer(place, store);
  await pause(chance.between(0.4, 1.1) * typicalMs);
  await server.kill();
}

async function startEmpty(place: Place, store: string): Promise<number> {
  const { process, firstReplyMs } = await startServer(place, store);
  await process.kill();
  return firstReplyMs;
}

function compareStarts({ afterKills, empty }: Starts, say: Scene['say']): void {
  const [killed, fresh] = [median(afterKills) ?? 0, median(empty) ?? Number.POSITIVE_INFINITY];
  const worst = Math.max(...afterKills);
  const ratio = killed / fresh;
  const times = `${Math.round(killed)} ms after a kill, ${Math.round(fresh)} ms with an empty store`;
  say(`first reply: ${times}, ${ratio.toFixed(2)} times; the slowest ${(worst / fresh).toFixed(2)} times`);
  assert.ok(ratio <= slowestRatio, `a start after a kill takes ${ratio} times as long`);
}

/** Everything once more, from a server that nobody hurries; then by the command, and by the database itself. */
async function checkEnd({ place, store, told, chance, provider, say }: Scene): Promise<void> {
  const server = await startServer(place, store);
  const judge = new Judge(told, provider);
  for (const session of told.all) session.isNew = true;
  await judge.judge(server.url, chance);
  await server.process.kill();
  say(`in the end: ${judge.report()}`);
  const listed = new Map((await listSessions(place, store)).map(({ id, status }) => [id, status]));
  for (const { id, standing, isPromised } of told.all)
    assert.ok(!isPromised || listed.get(id) === standing?.status, `${id} is listed as ${listed.get(id)}`);
  const database = new DatabaseSync(store, { readOnly: true });
  assert.deepEqual(database.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
  database.close();
  say(`${listed.size} sessions are listed, and the file is whole`);
}

function median(numbers: readonly number[]): number | undefined {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
