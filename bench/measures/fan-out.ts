// Overhead of a wide fan-out: the time of one session in a warm process, without the time the model takes.

import { medianOf } from '../median.ts';
import { callsInARow, runRightSessions } from '../scenario.ts';
import { wideFanOut } from '../sizes.ts';
import { control, readCounts } from '../stand-in-control.ts';
import { type Measure, open } from './measure.ts';

const delayMs = 50;

export const wide: Measure = async (setting) => {
  const { warm, parents } = setting.sizes.fanOut;
  const contender = await open(setting, wideFanOut);
  const runOne = () => runRightSessions(contender, { count: 1, atATime: 1, fanOut: wideFanOut });
  await control(setting.origin, { delayMs });
  for (let i = 0; i < warm; i++) await runOne();
  await control(setting.origin);
  const overheads: number[] = [];
  for (let i = 0; i < parents; i++) {
    const before = performance.now();
    await runOne();
    overheads.push(performance.now() - before - delayMs * callsInARow);
  }
  const { peakOfChildren } = await readCounts(setting.origin);
  return { overheadMs: medianOf(overheads), atOnce: peakOfChildren };
};
