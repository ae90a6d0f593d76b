// How agents are in Slack: what the section `slack` says, with whom it names among those that are served.

import { dirname, resolve } from 'node:path';
import {
  type ApiSettings,
  type Problem,
  Problems,
  type ReadSlack,
  readSlackSettings,
  type SlackConfig,
  type SlackRouteConfig,
} from '@ai-agent/agents';
import { toMatcher } from '@ai-agent/core';
import { isLoopback } from '@ai-agent/server';
import type { Found } from '../find-agents.ts';

export interface SlackSetUp {
  /** To be used only where no problem is an error. */
  readonly config: SlackConfig;
  readonly problems: readonly Problem[];
}

export interface SlackAround {
  readonly folders: readonly string[];
  readonly found: Found;
  readonly api: ApiSettings;
}

type World = Parameters<typeof readSlackSettings>[0];

export function readSlackSetUp(world: World, { folders, found, api }: SlackAround): SlackSetUp {
  const read = readSlackSettings(world, { folders });
  const problems = new Problems();
  checkKey(read, api, problems);
  const config = withNames(read, { found, problems });
  return { config, problems: [...read.problems, ...problems.all] };
}

/** Events come over HTTP where nobody may open a socket. */
export function isOverHttp({ appToken }: SlackConfig): boolean {
  return appToken === undefined;
}

/** Which key stands for Slack must be known, and be a secret: whoever visits a page is not whoever writes there. */
function checkKey({ settings: { key }, place }: ReadSlack, { keys }: ApiSettings, problems: Problems): void {
  if (key === undefined) return;
  const secret = Object.entries(keys ?? {}).flatMap(([name, { origins }]) => (origins ? [] : [name]));
  if (secret.includes(key)) return;
  const isPublishable = Object.hasOwn(keys ?? {}, key);
  const known = secret.length === 0 ? 'there is none' : `there are ${secret.join(', ')}`;
  const message = isPublishable ? 'is a key that stands in pages' : `is no key of api.keys; ${known}`;
  const remedy = 'Name a key of api.keys in .ai-agent.json that is a secret, or take slack.key out.';
  problems.add('error', { code: 'config-invalid', place: place('key'), message, remedy });
}

interface Served {
  readonly found: Found;
  readonly problems: Problems;
}

/** Files become the names of those that are served. */
function withNames({ settings, place }: ReadSlack, { found, problems }: Served): SlackConfig {
  const { routing } = settings;
  if (!routing) return settings;
  const { registry } = found;
  const folder = dirname(registry.agents[0]?.file ?? '');
  const named = <T extends SlackRouteConfig>(route: T, ...path: readonly string[]): T => {
    const { agent } = route;
    if (agent === undefined) return route;
    const files = [agent, `${agent}.ai`].map((file) => resolve(folder, file));
    const served =
      registry.agents.find(({ name }) => name === agent) ?? registry.agents.find(({ file }) => files.includes(file));
    if (served) return { ...route, agent: served.name };
    const names = registry.agents.map(({ name }) => name).join(', ');
    const message = `${agent} is not served; there are ${names}`;
    const remedy = 'Name one that is served, or serve its file too: ai-agent serve <files> --slack.';
    problems.add('error', { code: 'config-invalid', place: place('routing', ...path, 'agent'), message, remedy });
    return route;
  };
  return {
    ...settings,
    routing: {
      ...routing,
      ...(routing.rules ? { rules: routing.rules.map((rule, i) => named(rule, `rules[${i}]`)) } : {}),
      ...(routing.default ? { default: named(routing.default, 'default') } : {}),
    },
  };
}

interface Around {
  readonly keys?: ApiSettings['keys'];
  /** What the server is known as beside its address. */
  readonly hosts?: readonly string[];
}

/** What one would not expect. */
export function slackNotes(config: SlackConfig, { keys, hosts = [] }: Around): readonly string[] {
  const { key, pageUrl, routing, admins = [] } = config;
  const pageHost = pageUrl === undefined ? undefined : URL.parse(pageUrl)?.hostname;
  const isStranger = pageHost !== undefined && !hosts.includes(pageHost) && !isLoopback(pageHost);
  const isNobodys = keys !== undefined && key === undefined;
  const may = key === undefined ? undefined : keys?.[key]?.agents;
  const routes = [...(routing?.rules ?? []), ...(routing?.default ? [routing.default] : [])];
  const named = [...new Set(routes.flatMap(({ agent }) => agent ?? []))];
  const barred = may ? named.filter((name) => !toMatcher(may)(name)) : [];
  return [
    ...(isNobodys
      ? [
          'What is asked in Slack belongs to no key, so the page shows it to nobody: name one of api.keys as slack.key.',
          ...(pageUrl === undefined ? [] : ['slack.pageUrl is not used.']),
        ]
      : []),
    ...(!isNobodys && isStranger
      ? [
          `Warning: answers in Slack link to ${pageUrl}, and this server does not answer as ${pageHost}: say --allow-host ${pageHost}, or api.hosts, and give it keys.`,
        ]
      : []),
    ...(admins.length === 0 && routing?.rules?.some(({ bots }) => bots)
      ? [
          'Warning: a rule of slack answers posts of bots, and there are no slack.admins: nobody can stop such a run, or answer what it asks.',
        ]
      : []),
    ...(barred.length === 0
      ? []
      : [`Warning: slack.routing names ${barred.join(', ')}, which the key ${key} may not call.`]),
  ];
}
