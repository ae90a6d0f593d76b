// A warning of the session store of the command is reported: the wall clock jumped, so deleting by age waits.

import { expect, onTestFinished, test, vi } from 'vitest';
import { KeptSessions } from '../src/kept-sessions.ts';
import { folderWith } from './support/command.ts';
import { storeIn } from './support/kept.ts';

const dayMs = 24 * 60 * 60_000;

test('a jump of the clock while a store is open', async () => {
  const warnings: string[] = [];
  const choice = { where: storeIn(await folderWith({})), isUsual: false, retention: {} };
  const sessions = new KeptSessions(choice, { onWarning: (sentence) => warnings.push(sentence) });
  // The first look at what is old comes a moment after opening, others after a deletion.
  const look = () => expect.poll(() => Promise.resolve(sessions.store.delete('unknown')).then(() => warnings.length));
  await sessions.store.delete('unknown');
  await new Promise((resolve) => setTimeout(resolve, 200));
  const realNow = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 400 * dayMs);
  onTestFinished(() => void vi.restoreAllMocks());
  await look().toBe(1);
  expect(warnings).toEqual([expect.stringMatching(/^The wall clock jumped/)]);
  await sessions.settled();
});
