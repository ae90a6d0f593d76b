// What finished sessions leave on the heap, after two forced collections. Parents and children are sessions, but the growth is
// divided by the parents alone: five times stricter, and the same as a parent together with all its children.

import { runRightSessions } from '../scenario.ts';
import { fanOut } from '../sizes.ts';
import { atATime, collect, type Measure, open } from './measure.ts';

export const retained: Measure = async (setting) => {
  const { warm, parents } = setting.sizes.retained;
  const contender = await open(setting, fanOut);
  await runRightSessions(contender, { count: warm, atATime, fanOut });
  const before = await measureHeap();
  await runRightSessions(contender, { count: parents, atATime, fanOut });
  return { bytes: ((await measureHeap()) - before) / parents };
};

async function measureHeap(): Promise<number> {
  await collect();
  return process.memoryUsage().heapUsed;
}
