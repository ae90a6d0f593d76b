// The thread that has the file: batches in, answers out; between them it looks after other writers and what is kept for too long.

import { parentPort, workerData } from 'node:worker_threads';
import { beatMs } from '../writer.ts';
import { toFailure } from './failure.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { StoreFile } from './store-file.ts';

const { path, writer, aheadMs } = workerData as WorkerStart;

let ahead = aheadMs;
const now = () => Date.now() + ahead;
const tell = (message: FromWorker) => parentPort?.postMessage(message);

start();

function start(): void {
  try {
    const file = new StoreFile(path, writer);
    const unattended = (work: () => void) => {
      try {
        work();
      } catch (error) {
        tell({ type: 'bug', failure: toFailure(error, path) });
      }
    };
    unattended(() => file.interruption.sweep(now()));
    const timer = setInterval(() => {
      unattended(() => file.interruption.beat(now()));
      unattended(() => file.interruption.sweep(now()));
    }, beatMs);
    parentPort?.on('message', (message: ToWorker) => {
      if (message.type === 'batch') {
        ahead = message.aheadMs;
        const answers = file.perform(message.asks, message.batch, now());
        tell({ type: 'answers', batch: message.batch, answers });
        return;
      }
      clearInterval(timer);
      unattended(() => file.interruption.leave());
      file.db.close();
      parentPort?.close();
    });
    const { batch, answers } = file.lastBatch(writer.id) ?? { batch: 0, answers: [] };
    tell({ type: 'open', batch, answers });
  } catch (error) {
    tell({ type: 'not-open', failure: toFailure(error, path) });
    parentPort?.close();
  }
}
