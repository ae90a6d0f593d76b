// CPU per sub-agent: user and system time of the contender's process, its parents' own calls included.

import { runRightSessions } from '../scenario.ts';
import { fanOut } from '../sizes.ts';
import { control, readCounts } from '../stand-in-control.ts';
import { atATime, type Figures, type Measure, open, type Setting } from './measure.ts';

export const cpu: Measure = (setting) => measureCpu(setting, false);
export const cpuStreamed: Measure = (setting) => measureCpu(setting, true);

async function measureCpu(setting: Setting, isStreamed: boolean): Promise<Figures> {
  const { warm, parents } = setting.sizes.cpu;
  const contender = await open(setting, fanOut, isStreamed);
  await runRightSessions(contender, { count: warm, atATime, fanOut });
  globalThis.gc?.();
  await control(setting.origin);
  const before = process.cpuUsage();
  await runRightSessions(contender, { count: parents, atATime, fanOut });
  const { user, system } = process.cpuUsage(before);
  const { calls, streamedCalls } = await readCounts(setting.origin);
  if (streamedCalls !== (isStreamed ? calls : 0)) throw new RangeError(`${streamedCalls} of ${calls} calls streamed.`);
  return { cpuMs: (user + system) / 1000 / (parents * fanOut) };
}
