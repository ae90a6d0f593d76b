// Writes sessions that never end into a file, and waits to be killed: `leave-open.ts <file> <how many>`. Somebody reads meanwhile, so that
// all of it stays in the log beside the file.

import { DatabaseSync } from 'node:sqlite';
import type { Fact, SessionHead } from '@ai-agent/core';
import { openStore } from '@ai-agent/store';

const [path = '', count = '0'] = process.argv.slice(2);
const about = { agent: 'left', owner: null, headend: 'rest', isDetached: true, status: 'running' } as const;

const store = await openStore(path, { retention: { maxAgeMs: 365 * 86_400_000, maxBytes: 64 * 1024 ** 3 } });
const reader = new DatabaseSync(path, { readOnly: true });
reader.exec('BEGIN; SELECT count(*) FROM writers');
for (let at = 0; at < Number(count); at++) {
  const id = `left-${process.pid}-${at}`;
  const head: SessionHead = { ...about, id, createdAt: Date.now(), facts: 0, resumptions: 0 };
  await Promise.all([
    store.put(head),
    store.append(
      id,
      Array.from({ length: 20 }, (_, i) => factOf(id, i + 1)),
    ),
  ]);
}
console.log('left open');
setInterval(() => {}, 60_000);

function factOf(id: string, seq: number): Fact {
  const trace = { originId: id, parentId: null, selfId: id };
  return { kind: 'fact', type: 'turn-end', seq, at: Date.now(), trace, text: 'x'.repeat(2_000) } as unknown as Fact;
}
