// Who answers what was said or pressed somewhere: the rules of that place, whose name is asked for where one needs it.

import { needsName, type Routed, route } from '../route/route.ts';
import type { Surroundings } from '../surroundings.ts';
import { engagementOf, type Heard } from './heard.ts';

/** What decides it. */
export type Spoken = Pick<Heard, 'how' | 'channel' | 'isDirect' | 'isOfBot' | 'calledIn'>;

/** Throws `SlackRefusal` where Slack could not be asked for that name: nobody knows then. */
export async function findRoute({ settings, people }: Surroundings, spoken: Spoken): Promise<Routed> {
  const { how, channel, calledIn: id = channel, isOfBot } = spoken;
  const isDirect = id === channel ? spoken.isDirect : id.startsWith('D');
  const name = isDirect || !needsName(settings) ? undefined : await people.channelNameForRules(id);
  return route(settings, { channel: { id, name, isDirect }, engagement: engagementOf({ how, isDirect }), isOfBot });
}
