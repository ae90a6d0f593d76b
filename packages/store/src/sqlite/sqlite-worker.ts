// The thread that has the file: batches in, answers out.

import { parentPort, workerData } from 'node:worker_threads';
import { Chores } from './chores.ts';
import { toFailure } from './failure.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { StoreFile } from './store-file.ts';

const given = workerData as WorkerStart;
const { path, writer } = given;

let { aheadMs } = given;
const now = () => Date.now() + aheadMs;
const tell = (message: FromWorker) => parentPort?.postMessage(message);

try {
  serve(new StoreFile(given));
} catch (error) {
  tell({ type: 'not-open', failure: toFailure(error, path) });
  parentPort?.close();
}

function serve(file: StoreFile): void {
  const chores = new Chores(file, {
    now,
    onWarning: (sentence) => tell({ type: 'warning', sentence }),
    onFailure: (failure) => tell({ type: 'bug', failure }),
    onTended: (deleted) => tell({ type: 'tended', deleted }),
  });
  parentPort?.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      chores.end();
      file.db.close();
      parentPort?.close();
      return;
    }
    const { batch, asks } = message;
    aheadMs = message.aheadMs;
    tell({ type: 'answers', batch, answers: file.perform(asks, batch, now()) });
    if (asks.some((ask) => ask.do === 'delete')) chores.tendSoon();
  });
  tell({ type: 'open', ...(file.lastBatch(writer.id) ?? { batch: 0, answers: [] }) });
}
