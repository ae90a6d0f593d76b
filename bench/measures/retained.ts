// What finished sessions leave on the heap, after two forced collections. Leads and workers are sessions, but the growth is
// divided by the leads alone: five times stricter, and the same as a lead together with all its workers.

import { runRightSessions } from '../scenario.ts';
import { fanOut } from '../sizes.ts';
import { atATime, collect, type Measure, open } from './measure.ts';

export const retained: Measure = async (setting) => {
  const { warm, leads } = setting.sizes.retained;
  const contender = await open(setting, fanOut);
  await runRightSessions(contender, { count: warm, atATime, fanOut });
  const before = await measureHeap();
  await runRightSessions(contender, { count: leads, atATime, fanOut });
  return { bytes: ((await measureHeap()) - before) / leads };
};

async function measureHeap(): Promise<number> {
  await collect();
  return process.memoryUsage().heapUsed;
}
