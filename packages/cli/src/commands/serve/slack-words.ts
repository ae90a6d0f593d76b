// What is said of Slack when a server starts: who answers there, how Slack reaches us, and where its links lead.

import { isLoopback } from '@ai-agent/server';
import { findWebFiles } from '../../web-files.ts';
import type { House } from './house.ts';
import { toUsable } from './reachable.ts';
import type { SetUp } from './set-up.ts';
import { isOverHttp } from './slack-set-up.ts';

export function slackWords({ slack, doors }: Pick<House, 'slack' | 'doors'>, setUp: SetUp): readonly string[] {
  const { slack: config, host, keys } = setUp;
  if (!slack || !config) return [];
  const [door] = doors.filter(({ headend }) => headend === undefined);
  const url = door && toUsable(door.listening.url);
  const hasLink =
    url !== undefined &&
    findWebFiles() !== undefined &&
    config.pageUrl === undefined &&
    (!keys || config.key !== undefined);
  return [
    toAnswering(slack.primary, config),
    ...(isOverHttp(config) ? [`What Slack posts is taken at ${url ?? ''}/slack/events.`] : []),
    ...(config.appToken !== undefined && config.signingSecret !== undefined
      ? ['Slack has an app token and a signing secret: what it tells comes over a socket.']
      : []),
    ...(hasLink && isLoopback(host)
      ? [
          `Answers in Slack link to ${url}, which this machine alone reaches: slack.pageUrl says where others find the page.`,
        ]
      : []),
  ];
}

function toAnswering(primary: string | undefined, config: NonNullable<SetUp['slack']>): string {
  const { routing, mentions = true, dms = true, command = '/ask' } = config;
  const usual = [...(mentions ? ['mentions' as const] : []), ...(dms ? ['dms' as const] : [])];
  const kinds = (routing?.default?.engage ?? usual).map((kind) => inWords(kind, command));
  const rules = routing?.rules?.filter(({ enabled }) => enabled !== false).length ?? 0;
  const denials = routing?.deny?.length ?? 0;
  const counts = [
    ...(rules > 0 ? [counted(rules, 'rule')] : []),
    ...(denials > 0 ? [counted(denials, 'deny rule')] : []),
  ];
  const unless = counts.length === 0 ? '' : `, unless ${counts.join(' or ')} says otherwise`;
  if (kinds.length === 0 || primary === undefined)
    return `In Slack nobody answers${rules === 0 ? '' : `, unless ${counted(rules, 'rule')} says so`}.`;
  return `In Slack ${primary} answers ${kinds.join(', ')}${unless}.`;
}

function inWords(kind: 'mentions' | 'dms' | 'channel-posts', command: string): string {
  if (kind === 'mentions') return `mentions, ${command}`;
  return kind === 'dms' ? 'direct messages' : 'every post';
}

function counted(count: number, word: string): string {
  return count === 1 ? `the ${word}` : `one of ${count} ${word}s`;
}
