// The promise: who opens a new file in the very moment in which others make it takes it for what it will be, not for a file of others.

import { once } from 'node:events';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { newFile } from './support/folders.ts';
import type { InStep } from './support/open-in-step.ts';

test('three threads open a hundred files, and none is refused', async () => {
  const threads = 3;
  const arrivals = new Int32Array(new SharedArrayBuffer(4));
  const workerData: InStep = { arrivals, threads, folder: dirname(newFile()), files: 100 };
  const refusals: string[] = [];
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL('./support/open-in-step.ts', import.meta.url), { workerData }),
  );
  for (const worker of workers) worker.on('message', (refusal: string) => refusals.push(refusal));
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  expect(arrivals[0]).toBe(300);
  expect(refusals).toEqual([]);
}, 30_000);
