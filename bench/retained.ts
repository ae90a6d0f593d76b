// `node --expose-gc bench/retained.ts`: bytes of heap that a finished session leaves behind, over real HTTP, batch by batch.
// The first batches still warm up; a leak would show as a figure that does not fall.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ours } from './ours.ts';

const [batches, size] = [6, 800];
const server = spawn(process.execPath, [join(import.meta.dirname, 'stand-in.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [port] = (await once(server.stdout, 'data')) as [Buffer];
const run = ours(`http://127.0.0.1:${port.toString().trim()}`, 4, false);

async function runBatch(): Promise<void> {
  let left = size;
  const worker = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function heap(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.();
    await sleep(30);
  }
  return process.memoryUsage().heapUsed;
}

if (!globalThis.gc) throw new TypeError('Run with --expose-gc.');
await runBatch();
let before = await heap();
for (let i = 1; i <= batches; i++) {
  await runBatch();
  const after = await heap();
  console.log(
    `batch ${i} of ${size} parents with 4 sub-agents: ${Math.round((after - before) / (size * 5))} bytes per session`,
  );
  before = after;
}
server.kill();
process.exit(0);
