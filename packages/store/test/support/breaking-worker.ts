// The thread of the store, which breaks at batches that say so: before they are kept, or after, and once or always.

import { existsSync, writeFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ToWorker, WorkerStart } from '../../src/sqlite/messages.ts';

const { path } = workerData as WorkerStart;

const port = parentPort as MessagePort;
const listen = port.on.bind(port);
port.on = ((event: string, listener: (message: ToWorker) => void) =>
  listen(event, (message: ToWorker) => {
    breakAt(message);
    listener(message);
  })) as typeof port.on;

await import('../../src/sqlite/sqlite-worker.ts');

function breakAt(message: ToWorker): void {
  if (says(message, 'break always')) throw new TypeError('it was to break');
  if (says(message, 'break before') && isFirst('before')) process.exit(1);
  // The answer is posted, and nobody hears it.
  if (says(message, 'break after') && isFirst('after')) port.postMessage = () => process.exit(1);
}

function says(message: ToWorker, words: string): boolean {
  return message.type === 'batch' && JSON.stringify(message.asks).includes(words);
}

function isFirst(when: string): boolean {
  const mark = `${path}.${when}`;
  if (existsSync(mark)) return false;
  writeFileSync(mark, '');
  return true;
}
