// Tells facts until the store takes no more, makes room, and goes on: `fill-store.ts <file> <ballast>`. The ballast is in the way.

import { rmSync } from 'node:fs';
import { isAgentError, SessionRecord } from '@ai-agent/core';
import { openStore } from '../../src/index.ts';
import { factOf, headOf } from './facts.ts';

const [path = '', ballast = ''] = process.argv.slice(2);
const store = await openStore(path);
const bugs: unknown[] = [];
const record = new SessionRecord(headOf('a', { createdAt: Date.now() }), { store, onBug: (error) => bugs.push(error) });
record.put(record.head);
let told = 0;
while (!record.isFailing && told < 10_000) {
  record.tell(factOf(++told, 'x'.repeat(50_000)));
  await record.whenWritten();
}
const [bug] = bugs;
const { code, message } = isAgentError(bug) ? bug : { code: String(bug), message: '' };
const listed = (await store.list({ limit: 5 })).length;
print({ code, message, bugs: bugs.length, listed, kept: record.kept, told });

rmSync(ballast);
record.tell(factOf(++told));
record.put({ ...record.head, status: 'completed', endedAt: Date.now(), facts: record.count });
await record.whenWritten();
const seqs = (await store.facts('a', 0)).map(({ seq }) => seq);
print({ isFailing: record.isFailing, isWhole: seqs.every((seq, i) => seq === i + 1), found: seqs.length, told });
await store.close();

function print(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
