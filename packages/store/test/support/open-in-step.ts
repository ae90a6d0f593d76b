// A thread that opens one new file after the other, each in the same moment as the threads beside it.

import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../src/sqlite/database.ts';

export interface InStep {
  /** How often a thread has come to a file, by all of them. */
  readonly arrivals: Int32Array;
  readonly threads: number;
  readonly folder: string;
  readonly files: number;
}

const { arrivals, threads, folder, files } = workerData as InStep;
for (let file = 0; file < files; file++) {
  Atomics.add(arrivals, 0, 1);
  // Not asleep: who is woken comes too late.
  while (Atomics.load(arrivals, 0) < threads * (file + 1));
  try {
    openDatabase(join(folder, `${file}.sqlite`)).close();
  } catch (error) {
    parentPort?.postMessage((error as Error).message);
  }
}
