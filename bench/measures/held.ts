// Many at once: the workers of all leads unanswered at the same moment, then released, and every answer right.

import { runSessions } from '../scenario.ts';
import { fanOut } from '../sizes.ts';
import { control, waitForHeld } from '../stand-in-control.ts';
import { type Measure, open } from './measure.ts';

export const held: Measure = async (setting) => {
  const { leads } = setting.sizes.held;
  const contender = await open(setting, fanOut);
  await control(setting.origin, { holdsWorkers: true });
  const all = runSessions(contender, { count: leads, atATime: leads, fanOut });
  const atOnce = await waitForHeld(setting.origin, leads * fanOut);
  await control(setting.origin, { holdsWorkers: false });
  return { atOnce, right: await all };
};
