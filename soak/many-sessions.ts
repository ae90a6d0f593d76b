// A store with very many sessions beside one with a thousand: finding and reading some takes no longer, nor does opening it after a kill. In a file, and in a database where there is one.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openStore, type Store } from '@ai-agent/store';
import { toSessionDocument } from '../packages/server/src/session-document.ts';
import { PrivatePostgres } from '../packages/store/test/support/private-postgres.ts';
import { Chance } from './chance.ts';
import type { Processes } from './processes.ts';
import { Invention } from './sessions/invented.ts';
import { compareOpenings } from './sessions/open-after-kill.ts';

export interface ManySessionsOptions {
  readonly processes: Processes;
  readonly say: (text: string) => void;
  /** A folder for the stores. */
  readonly data: string;
}

const few = 1_000;
const calls = 300;
/** Put at once, in one batch. */
const together = 500;
const mostTimes = 3;
/** Below this a call is so short that what else the machine does decides its p95: a call of 0.2 ms that once waits for its turn is no news. */
const floorMs = 1;

export async function manySessions({ processes, say, data }: ManySessionsOptions): Promise<void> {
  const many = 100_000;
  const fileOf = (name: string) => join(data, `${name}.sqlite`);
  await compareStores({ many, newPlace: async (name) => fileOf(name), say });
  await compareOpenings({ processes, say, small: fileOf(String(few)), large: fileOf(String(many)) });
  const postgres = await PrivatePostgres.start();
  if (!postgres) return say('PostgreSQL is not installed here, and is left out');
  try {
    // A tenth of them: it takes far longer to fill, and shows the same.
    await compareStores({ many: 10_000, newPlace: () => postgres.database(), say });
  } finally {
    await postgres.close();
  }
}

interface Comparison extends Pick<ManySessionsOptions, 'say'> {
  readonly many: number;
  /** Where a store of this name is made. */
  readonly newPlace: (name: string) => Promise<string>;
}

async function compareStores({ many, newPlace, say }: Comparison): Promise<void> {
  const chance = new Chance(11);
  const invention = await Invention.begin(chance);
  const stores: Filled[] = [];
  try {
    for (const count of [few, many]) {
      const began = performance.now();
      const filled = await fill(await newPlace(String(count)), count, invention);
      stores.push(filled);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      say(
        `${count} sessions of ${invention.usual} facts and some larger ones are in ${filled.store.place} after ${seconds} s`,
      );
    }
    compare(await measure(stores, chance), many, say);
  } finally {
    await Promise.all(stores.map(({ store }) => store.close()));
  }
}

interface Filled {
  readonly store: Store;
  readonly ids: readonly string[];
}

async function fill(where: string, count: number, invention: Invention): Promise<Filled> {
  // As long as the time of its sessions, and more than they come to: nothing is deleted meanwhile.
  const store = await openStore(where, { retention: { maxAgeMs: 365 * 86_400_000, maxBytes: 64 * 1024 ** 3 } });
  const ids: string[] = [];
  const first = Date.now() - count * 1_000;
  while (ids.length < count) {
    const batch = Array.from({ length: together }, (_, i) => invention.session(first + (ids.length + i) * 1_000));
    await Promise.all(batch.flatMap(({ head, facts }) => [store.put(head), store.append(head.id, facts)]));
    ids.push(...batch.map(({ head }) => head.id));
  }
  return { store, ids };
}

type Call = (filled: Filled, chance: Chance) => Promise<number>;

/** Each gives how many it found. */
const reads: Readonly<Record<string, Call>> = {
  'the newest': async ({ store }) => (await store.list({ limit: 20 })).length,
  'a page deep inside': async ({ store, ids }, chance) =>
    (await store.list({ limit: 20, before: ids[Math.floor(chance.between(0.2, 0.9) * ids.length)] ?? '' })).length,
  'of an agent': async ({ store }, chance) =>
    (await store.list({ limit: 20, agent: `agent-${Math.floor(chance.upTo(10))}` })).length,
  'of a status': async ({ store }, chance) =>
    (
      await store.list({
        limit: 20,
        statuses: [chance.pick(['needs_user_input', 'failed', 'completed'] as const) ?? 'failed'],
      })
    ).length,
  'of a key': async ({ store }, chance) =>
    (await store.list({ limit: 20, owner: `key-${Math.floor(chance.upTo(10))}` })).length,
  'of a key, failed': async ({ store }) =>
    (await store.list({ limit: 20, owner: 'key-0', statuses: ['failed'] })).length,
  'of a key that is rare, completed': async ({ store }) =>
    (await store.list({ limit: 20, owner: 'key-24', statuses: ['completed'] })).length,
  'of an agent and a key': async ({ store }) =>
    1 + (await store.list({ limit: 20, agent: 'agent-0', owner: 'key-24' })).length,
  'under way': async ({ store }) => 1 + (await store.list({ limit: 20, statuses: ['running', 'queued'] })).length,
  'show one': async ({ store, ids }, chance) => {
    const id = chance.pick(ids) ?? '';
    const head = await store.get(id);
    const facts = await store.facts(id, 0);
    return head && toSessionDocument(head, facts, { isKept: () => true }).tree ? facts.length : 0;
  },
};

type Times = ReadonlyMap<string, readonly number[][]>;

/** Times of each read in each store, taken in turn: whatever the machine does meanwhile, it does to both. */
async function measure(stores: readonly Filled[], chance: Chance): Promise<Times> {
  const times = new Map(Object.keys(reads).map((name) => [name, stores.map((): number[] => [])]));
  for (let i = 0; i < calls; i++)
    for (const [name, read] of Object.entries(reads))
      for (const [at, filled] of stores.entries()) {
        const began = performance.now();
        const found = await read(filled, chance);
        times.get(name)?.[at]?.push(performance.now() - began);
        assert.ok(found > 0, `${name}: nothing was found`);
      }
  return times;
}

function compare(times: Times, many: number, say: ManySessionsOptions['say']): void {
  const slow: string[] = [];
  for (const [name, [one = [], other = []]] of times) {
    const [small, large] = [p95(one), p95(other)];
    const ratio = Math.max(large, floorMs) / Math.max(small, floorMs);
    const line = `${name}: p95 ${small.toFixed(2)} ms of ${few}, ${large.toFixed(2)} ms of ${many}: ${(large / small).toFixed(2)} times`;
    say(line);
    if (ratio > mostTimes) slow.push(line);
  }
  assert.deepEqual(slow, [], `more than ${mostTimes} times, and more than ${mostTimes * floorMs} ms`);
}

function p95(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}
