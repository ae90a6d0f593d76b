// Agents in Slack, once the house stands: its desk, and the connection, which is loaded only here.

import { type Hall, type Headend, hook, type Keys, openDesk } from '@ai-agent/server';
import type { Slack, SlackLog, SlackSettings } from '@ai-agent/slack';
import { findWebFiles } from '../../web-files.ts';
import type { Door } from './doors.ts';
import { toUsable } from './reachable.ts';
import type { ServeSettings } from './serve-settings.ts';
import type { ServerLog } from './server-log.ts';
import type { SetUp } from './set-up.ts';
import { isOverHttp } from './slack-set-up.ts';

/** Where Slack posts what comes over HTTP. */
const paths = ['/slack/events', '/slack/commands', '/slack/interactions'];

/** Whose its sessions are where there are keys and none of them stands for Slack. */
const nobody = '@slack';

export interface SlackOptions {
  readonly settings: ServeSettings;
  readonly setUp: SetUp;
  readonly keys: Keys | undefined;
  readonly log: ServerLog;
}

/** Undefined where nobody is served in Slack. */
export function toSlackPlace({ settings, setUp, keys, log }: SlackOptions): SlackPlace | undefined {
  const { slack: config } = setUp;
  if (!config) return undefined;
  let slack: Slack | undefined;
  const route = hook({
    name: 'slack',
    paths,
    // What comes before we are ready is sent again.
    handle: async (request) => (await slack?.handle?.(request)) ?? new Response(null, { status: 503 }),
  });
  return {
    headends: isOverHttp(config) ? [route] : [],
    async open(hall, doors) {
      const { openSlack } = await import('@ai-agent/slack');
      const key = keys ? (config.key ?? nobody) : null;
      const visitor = config.key === undefined ? undefined : keys?.named(config.key);
      const desk = openDesk(hall, { headend: 'slack', key, visitor, perUser: config.perUser });
      slack = await openSlack({ settings: toSettings(setUp, doors), desk, log: toLog(log, settings) });
      return slack;
    },
  };
}

export interface SlackPlace {
  /** On the port where all are. */
  readonly headends: readonly Headend[];
  /** Throws `slack-refused`. */
  open(hall: Hall, doors: readonly Door[]): Promise<Slack>;
}

function toSettings({ slack = {}, keys }: SetUp, doors: readonly Door[]): SlackSettings {
  const { enabled: _on, key, perUser: _bounds, concurrency: _places, openerTone: _tone, ...settings } = slack;
  const isShown = !keys || key !== undefined;
  const pageUrl = isShown ? (settings.pageUrl ?? pageOf(doors)) : undefined;
  return { ...settings, botToken: settings.botToken ?? '', pageUrl };
}

/** Where the page is. */
function pageOf(doors: readonly Door[]): string | undefined {
  const door = doors.find(({ headend }) => headend === undefined);
  return door && findWebFiles() ? toUsable(door.listening.url) : undefined;
}

function toLog(log: ServerLog, { isTracingSlack }: ServeSettings): SlackLog {
  return {
    say: (sentence) => log.say(sentence),
    fail: (sentence) => log.fail(sentence),
    detail: (sentence) => (isTracingSlack ? log.say(sentence) : log.detail(sentence)),
    bug: log.bug,
  };
}
