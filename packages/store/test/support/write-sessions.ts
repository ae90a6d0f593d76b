// Writes sessions, four at a time, and says what the store has acknowledged: `write-sessions.ts <file> <name> <how many> [stay]`.
// With `stay` none of them ends.

import { SessionRecord } from '@ai-agent/core';
import { openStore } from '../../src/index.ts';
import { factOf, headOf } from './facts.ts';

const [path = '', name = '', count = '0', stay] = process.argv.slice(2);
const store = await openStore(path);
let next = 0;
await Promise.all([1, 2, 3, 4].map(writeAll));
await store.close();

async function writeAll(): Promise<void> {
  while (next < Number(count)) await writeOne(`${name}-${++next}s`);
}

async function writeOne(id: string): Promise<void> {
  const onBug = (error: unknown) => {
    throw error;
  };
  const record = new SessionRecord(headOf(id, { createdAt: Date.now() }), { store, onBug });
  record.put(record.head);
  for (let seq = 1; seq <= 20; seq++) {
    record.tell({ ...factOf(seq, id), at: Date.now() });
    if (seq % 3 !== 0) continue;
    await record.whenWritten();
    print({ id, kept: record.kept });
  }
  if (stay) await new Promise(() => setInterval(() => {}, 60_000));
  record.put({ ...record.head, status: 'completed', endedAt: Date.now(), facts: record.count });
  await record.whenWritten();
  print({ id, kept: record.kept, isEnded: true });
}

function print(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
