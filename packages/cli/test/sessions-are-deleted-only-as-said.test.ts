// The promise: what is deleted is what was said, and no more: a time without its unit and a day that is none are refused.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SessionHead } from '@ai-agent/core';
import { openStore } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { folderWith, run } from './support/command.ts';
import { headsIn, storeIn } from './support/kept.ts';

const day = 86_400_000;

/** Sessions that began so many days ago, by their ids. */
async function keptSince(days: Readonly<Record<string, number>>): Promise<string> {
  const cwd = await folderWith({});
  mkdirSync(dirname(storeIn(cwd)), { recursive: true });
  const store = await openStore(storeIn(cwd));
  for (const [id, ago] of Object.entries(days)) {
    const createdAt = Date.now() - ago * day;
    const of = { agent: 'desk', owner: '@terminal', headend: 'terminal', isDetached: false } as const;
    const head: SessionHead = {
      ...of,
      id,
      status: 'completed',
      createdAt,
      endedAt: createdAt,
      facts: 0,
      resumptions: 0,
    };
    await store.put(head);
  }
  await store.close();
  return cwd;
}

async function idsIn(cwd: string): Promise<readonly string[]> {
  return (await headsIn(cwd)).map(({ id }) => id);
}

test('--older-than deletes what is older', async () => {
  const cwd = await keptSince({ fresh1: 1, older1: 9, older2: 40 });
  expect(await run(['sessions', 'delete', '--older-than', '7d', '--yes'], { cwd })).toMatchObject({ code: 0 });
  expect(await idsIn(cwd)).toEqual(['fresh1']);
});

test.each([
  ['--older-than', '30'],
  ['--older-than', ' 30 '],
  ['--until', '30'],
  ['--until', '2026-02-31'],
  ['--until', '2026-02-31T10:00'],
  ['--since', '2025-06-31'],
])('%s %s is refused', async (flag, said) => {
  const cwd = await keptSince({ fresh1: 1, older1: 900 });
  const { code, stderr } = await run(['sessions', 'delete', flag, said, '--yes'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining(`${flag} must be a time`)]);
  expect(await idsIn(cwd)).toEqual(['fresh1', 'older1']);
});

test('one that is named twice is deleted once', async () => {
  const cwd = await keptSince({ fresh1: 1, older1: 9 });
  const { code, stdout } = await run(['sessions', 'delete', 'older1', 'older', '--json', '--yes'], { cwd });
  expect([code, JSON.parse(stdout)]).toEqual([0, { deleted: ['older1'], left: [] }]);
});

test('where nothing is deleted, it is said why', async () => {
  const cwd = await keptSince({ fresh1: 1 });
  const none = await run(['sessions', 'delete', '--agent', 'other', '--yes'], { cwd });
  expect(none).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Nothing is deleted: no such session is kept in ${storeIn(cwd)}.`),
  });
  expect((await run(['sessions', 'delete', '--all'], { cwd })).stderr).toContain('1 session is deleted.');
  expect((await run(['sessions', 'delete', '--all'], { cwd })).stderr).toContain('Nothing is deleted: no such');
});

test('those at work are named, and left', async () => {
  const cwd = await keptSince({ fresh1: 1, older1: 9 });
  const store = await openStore(storeIn(cwd));
  const [head] = await store.list({ limit: 1 });
  if (!head) throw new Error('There is none.');
  await store.claim({ ...head, status: 'running', resumptions: 1 });
  const { code, stderr } = await run(['sessions', 'delete', '--all', '--yes'], { cwd });
  expect([code, stderr]).toEqual([0, '1 session is deleted.\nfresh1 is at work, and is left alone.\n']);
  const again = await run(['sessions', 'delete', '--all', '--yes', '--json'], { cwd });
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { deleted: [], left: ['fresh1'] }]);
  await store.close();
});
