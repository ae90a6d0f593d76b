// Live memory of a session in flight: all children wait for the stand-in at the same moment, and so do their parents.

import { runRightSessions } from '../scenario.ts';
import { fanOut } from '../sizes.ts';
import { control, waitForHeld } from '../stand-in-control.ts';
import { atATime, collect, type Measure, open } from './measure.ts';

export const liveMemory: Measure = async (setting) => {
  const { warm, parents } = setting.sizes.memory;
  const contender = await open(setting, fanOut);
  await runRightSessions(contender, { count: warm, atATime, fanOut });
  await control(setting.origin, { holdsChildren: true });
  const before = await measureLive();
  const all = runRightSessions(contender, { count: parents, atATime: parents, fanOut });
  const held = await waitForHeld(setting.origin, parents * fanOut);
  const after = await measureLive();
  await control(setting.origin, { holdsChildren: false });
  await all;
  if (held < parents * fanOut) throw new RangeError(`${held} of ${parents * fanOut} children were in flight.`);
  return { liveKb: (after - before) / 1024 / (parents + held) };
};

async function measureLive(): Promise<number> {
  await collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
