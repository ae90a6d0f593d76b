// Settings of Slack for tests, and places where something is said.

import type { Channel } from '../../src/route/channels.ts';
import type { Spot } from '../../src/route/route.ts';
import type { SlackRouting, SlackSettings } from '../../src/settings.ts';

export const general: Channel = { id: 'C0123456789', name: 'general', isDirect: false };
export const direct: Channel = { id: 'D0123456789', name: undefined, isDirect: true };
export const nameless: Channel = { id: 'C0999999999', name: undefined, isDirect: false };

export function settingsOf(routing?: SlackRouting, others: Partial<SlackSettings> = {}): SlackSettings {
  return { botToken: 'xoxb-test', routing, ...others };
}

export function mention(channel: Channel = general, isOfBot = false): Spot {
  return { channel, engagement: 'mentions', isOfBot };
}

export function post(channel: Channel = general, isOfBot = false): Spot {
  return { channel, engagement: 'channel-posts', isOfBot };
}

export function message(isOfBot = false): Spot {
  return { channel: direct, engagement: 'dms', isOfBot };
}
