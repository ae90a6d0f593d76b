// Who answers what is said in Slack: deny rules first and for everything, then the first rule that fits, then the default.

import type { ContextPolicy, Engagement, SlackRoute, SlackRule, SlackSettings } from '../settings.ts';
import { type Channel, fitsChannel, isNamePattern } from './channels.ts';
import { templateKind } from './template.ts';

export interface Spot {
  readonly channel: Channel;
  /** Shortcuts and commands count as mentions; in direct messages everything is a direct message. */
  readonly engagement: Engagement;
  /** Whether another bot said it; what we said ourselves never comes here. */
  readonly isOfBot: boolean;
}

export type Routed =
  | {
      readonly how: 'route';
      /** Undefined: the primary one. */
      readonly agent: string | undefined;
      /** For this kind of engagement. */
      readonly template: string | undefined;
      readonly context: ContextPolicy | undefined;
    }
  | { readonly how: 'denied' }
  | { readonly how: 'unrouted' };

export function route(settings: SlackSettings, spot: Spot): Routed {
  const { deny = [], rules = [], default: fallback = {} } = settings.routing ?? {};
  const isDenied = deny.some(
    ({ channels, engage }) =>
      fitsChannel(channels, spot.channel, 'closed') && (engage?.includes(spot.engagement) ?? true),
  );
  if (isDenied) return { how: 'denied' };
  const found =
    rules.find((rule) => fitsRule(rule, spot, settings)) ?? (isByDefault(settings, spot) ? fallback : undefined);
  return found === undefined ? { how: 'unrouted' } : toRouted(found, spot.engagement);
}

/** Whether the name of a channel decides anything: it costs a call to find. */
export function needsName({ routing }: SlackSettings): boolean {
  const rules = (routing?.rules ?? []).filter(({ enabled }) => enabled !== false);
  return [...(routing?.deny ?? []), ...rules].some(({ channels }) => channels?.some(isNamePattern) ?? false);
}

function fitsRule(rule: SlackRule, spot: Spot, settings: SlackSettings): boolean {
  if (rule.enabled === false || (spot.isOfBot && rule.bots !== true)) return false;
  if (!fitsChannel(rule.channels, spot.channel, 'open')) return false;
  if (rule.engage !== undefined) return rule.engage.includes(spot.engagement);
  // Whoever wants every post of every channel answered says so.
  if (spot.engagement === 'channel-posts') return rule.channels !== undefined;
  return isSwitchedOn(settings, spot.engagement);
}

function isByDefault(settings: SlackSettings, { engagement, isOfBot }: Spot): boolean {
  if (isOfBot) return false;
  return settings.routing?.default?.engage?.includes(engagement) ?? isSwitchedOn(settings, engagement);
}

/** What nobody names: `mentions` and `dms` decide; posts are never meant. */
function isSwitchedOn(settings: SlackSettings, engagement: Engagement): boolean {
  if (engagement === 'channel-posts') return false;
  return settings[engagement] !== false;
}

function toRouted({ agent, promptTemplates, contextPolicy }: SlackRoute, engagement: Engagement): Routed {
  return { how: 'route', agent, template: promptTemplates?.[templateKind(engagement)], context: contextPolicy };
}
