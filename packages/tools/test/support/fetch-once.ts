// A process that asks once, collects its garbage before it reads, and has nothing more to do.

import { Outbound } from '../../src/outbound/outbound.ts';

const url = process.argv[2] ?? '';
const outbound = new Outbound({ named: [url] });
const answer = await outbound.fetch(url);
for (let i = 0; i < 5; i++) {
  await new Promise((resolve) => setImmediate(resolve));
  (globalThis as unknown as { gc(): void }).gc();
}
const text = await answer.text();
process.stdout.write(JSON.stringify({ text, readAt: Date.now() }));
