// Reads what a store has, and tries to write: `read-store.ts <file>`.

import { isAgentError } from '@ai-agent/core';
import { openStore } from '../../src/index.ts';
import { factOf, headOf } from './facts.ts';
import { forEver } from './for-ever.ts';

const [path = ''] = process.argv.slice(2);
const bugs: unknown[] = [];

const opened = await outcome(() => openStore(path, { retention: forEver, onBug: (bug) => bugs.push(bug) }));
if (typeof opened === 'object' && 'list' in opened) {
  const store = opened;
  const found = (await store.list({ limit: 9 })).map(({ id }) => id);
  const facts = (await store.facts('a', 0)).map(({ seq }) => seq);
  const written = [
    await outcome(() => store.put(headOf('b'))),
    await outcome(() => store.append('a', [factOf(9)])),
    await outcome(() => store.delete('a')),
  ];
  // Asked together, each gets its own answer.
  const [, read] = await Promise.all([outcome(() => store.put(headOf('b'))), store.get('a')]);
  await store.close();
  print({ found, facts, written, read: read?.id, bugs: bugs.map(String) });
} else print({ opened });

async function outcome<T>(work: () => T | Promise<T>): Promise<T | { code: string; message: string }> {
  try {
    return await work();
  } catch (error) {
    if (isAgentError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

function print(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
