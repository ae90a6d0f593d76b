// Many at once: the children of all parents unanswered at the same moment, then released, and every answer right.

import { runSessions } from '../scenario.ts';
import { fanOut } from '../sizes.ts';
import { control, waitForHeld } from '../stand-in-control.ts';
import { type Measure, open } from './measure.ts';

export const held: Measure = async (setting) => {
  const { parents } = setting.sizes.held;
  const contender = await open(setting, fanOut);
  await control(setting.origin, { holdsChildren: true });
  const all = runSessions(contender, { count: parents, atATime: parents, fanOut });
  const atOnce = await waitForHeld(setting.origin, parents * fanOut);
  await control(setting.origin, { holdsChildren: false });
  return { atOnce, right: await all };
};
