// Live memory of a session in flight: all workers wait for the stand-in at the same moment, and so do their leads.

import { runRightSessions } from '../scenario.ts';
import { fanOut } from '../sizes.ts';
import { control, waitForHeld } from '../stand-in-control.ts';
import { atATime, collect, type Measure, open } from './measure.ts';

export const liveMemory: Measure = async (setting) => {
  const { warm, leads } = setting.sizes.memory;
  const contender = await open(setting, fanOut);
  await runRightSessions(contender, { count: warm, atATime, fanOut });
  await control(setting.origin, { holdsWorkers: true });
  const before = await measureLive();
  const all = runRightSessions(contender, { count: leads, atATime: leads, fanOut });
  const held = await waitForHeld(setting.origin, leads * fanOut);
  const after = await measureLive();
  await control(setting.origin, { holdsWorkers: false });
  await all;
  if (held < leads * fanOut) throw new RangeError(`${held} of ${leads * fanOut} workers were in flight.`);
  return { liveKb: (after - before) / 1024 / (leads + held) };
};

async function measureLive(): Promise<number> {
  await collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
