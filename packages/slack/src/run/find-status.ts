// The message that shows somebody at work in a thread where nobody is any more: they were gone before they could note where it stands.

import { actionIds } from '../act/buttons.ts';
import type { Surroundings } from '../surroundings.ts';
import { actionsIn, readOurs } from './our-messages.ts';
import type { Thread } from './threads.ts';

/** Looks behind the message that is `after`. Undefined when there is none, or Slack does not say. */
export async function findStatus(
  around: Pick<Surroundings, 'api' | 'identity'>,
  thread: Thread,
  after: string,
): Promise<string | undefined> {
  const ours = await readOurs(around, thread, after);
  return ours.findLast(({ blocks }) => actionsIn(blocks).some(({ action_id }) => action_id === actionIds.cancel))?.ts;
}
