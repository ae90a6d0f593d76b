// The thread of the store, which breaks at batches that say so: before they are kept, or after, and once or always.

import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ToWorker, WorkerStart } from '../../src/sqlite/messages.ts';

const { path } = workerData as WorkerStart;

parentPort?.on('message', (message: ToWorker) => {
  if (says(message, 'break before') && isFirst('before')) process.exit(1);
  if (says(message, 'break always')) {
    // Who else listens would be told all the same.
    parentPort?.removeAllListeners('message');
    throw new TypeError('it was to break');
  }
  // Answers are posted, and nobody hears them.
  if (says(message, 'break after') && isFirst('after') && parentPort) parentPort.postMessage = () => process.exit(1);
});

await import('../../src/sqlite/sqlite-worker.ts');

function says(message: ToWorker, words: string): boolean {
  return message.type === 'batch' && JSON.stringify(message.asks).includes(words);
}

function isFirst(when: string): boolean {
  const mark = `${path}.${when}`;
  if (existsSync(mark)) return false;
  writeFileSync(mark, '');
  return true;
}
