// The promise: of all who claim a note through stores of their own on one file or one database, one gets it.

import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { newFile } from './support/folders.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';

const names = Array.from({ length: 25 }, (_, i) => `note ${i}`);
const minute = 60_000;

describe('in a file', () => claimsAreForOne(newFile));

describe('in a database', () => {
  const postgres = usePostgres();
  claimsAreForOne(() => postgres().database());

  test('those who claim several do not wait for each other', async () => {
    const address = await postgres().database();
    // Who waits in a ring fails long before the database looks for one.
    await postgres().query(`ALTER DATABASE ${new URL(address).pathname.slice(1)} SET deadlock_timeout = '1min'`);
    const stores = await openSeveral(address);
    for (let round = 0; round < 5; round++) {
      expect(await claimAll(stores)).toHaveLength(names.length);
      await Promise.all(names.map((name) => stores[round % stores.length]?.notes.delete(name)));
    }
  });
});

function claimsAreForOne(place: () => string | Promise<string>): void {
  test('one at a time', async () => {
    const stores = await openSeveral(await place());
    for (const name of names) {
      const claims = await Promise.all(stores.map(({ notes }, i) => notes.claim(name, i, Date.now() + minute)));
      expect(claims.filter((isOurs) => isOurs)).toEqual([true]);
      for (const { notes } of stores) expect(await notes.get(name)).toBe(claims.indexOf(true));
    }
  });

  test('many at a time, in any order', async () => {
    const won = await claimAll(await openSeveral(await place()));
    expect([...won].sort()).toEqual([...names].sort());
  });

  test('again when its time is over, and again when it was deleted', async () => {
    let at = Date.now();
    const stores = await openSeveral(await place(), () => at);
    const claimOne = () => Promise.all(stores.map(({ notes }, i) => notes.claim('n', i, at + minute)));
    for (let round = 0; round < 3; round++) {
      expect((await claimOne()).filter((isOurs) => isOurs)).toEqual([true]);
      at += minute / 2;
      expect(await claimOne()).toEqual(stores.map(() => false));
      at += minute / 2;
    }
    await stores[0]?.notes.put('n', 'put', at + minute);
    expect(await claimOne()).toEqual(stores.map(() => false));
    await stores[1]?.notes.delete('n');
    expect((await claimOne()).filter((isOurs) => isOurs)).toEqual([true]);
  });

  test('what one has put or claimed is named to the others', async () => {
    const [one, other] = await openSeveral(await place());
    await one?.notes.put('n:put', 1, Date.now() + minute);
    await one?.notes.claim('n:claimed', 1, Date.now() + minute);
    expect(await other?.notes.names('n:', 9)).toEqual(['n:claimed', 'n:put']);
  });
}

async function openSeveral(place: string, now?: () => number): Promise<readonly Store[]> {
  const options = { retention: forEver, ...(now ? { now } : {}) };
  const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(place, options)));
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  return stores;
}

/** Half of them begin at the other end. */
async function claimAll(stores: readonly Store[]): Promise<readonly string[]> {
  const claims = stores.map(async ({ notes }, i) => {
    const ordered = i % 2 === 0 ? names : [...names].reverse();
    const won = await Promise.all(ordered.map((name) => notes.claim(name, i, Date.now() + minute)));
    return ordered.filter((_, at) => won[at]);
  });
  return (await Promise.all(claims)).flat();
}
