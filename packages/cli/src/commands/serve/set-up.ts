// How a server is set up: what flags say, then the section `api` of the configuration, then what is usual.

import { dirname } from 'node:path';
import {
  type ApiSettings,
  type EmbedSettings,
  type Problem,
  readApiSettings,
  readEmbedSettings,
  type SlackConfig,
} from '@ai-agent/agents';
import { toMatcher } from '@ai-agent/core';
import { flagValue, type Words } from '../../arguments.ts';
import { processPlaces } from '../../assemble.ts';
import type { Found } from '../find-agents.ts';
import type { ServeSettings } from './serve-settings.ts';
import { isOverHttp, readSlackSetUp, slackNotes } from './slack-set-up.ts';

export interface SetUp extends Pick<ApiSettings, 'keys' | 'cors' | 'hosts'> {
  readonly host: string;
  /** By name: those that ports are for. */
  readonly embed: Readonly<Record<string, EmbedSettings>>;
  /** Undefined where nobody is served in Slack. */
  readonly slack?: SlackConfig | undefined;
  /** Where all headends are; undefined when places of single ones are named. */
  readonly port: number | undefined;
  readonly graceMs: number;
  readonly concurrency?: number | undefined;
  readonly waiting?: number | undefined;
  readonly maxBodyBytes?: number | undefined;
  readonly mcpPrompts?: boolean | undefined;
  readonly showActivity?: boolean | undefined;
}

export interface ReadSetUp {
  /** To be used only where no problem is an error. */
  readonly value: SetUp;
  /** Of the agents, and of the sections `api`, `embed` and `slack`. */
  readonly problems: readonly Problem[];
  /** Sentences on what is odd about the set-up for the agents of a load; each is said once. */
  oddities(found: Found): readonly string[];
  /** What a later load found to be different, in a sentence: it holds when the server is started again. */
  changes(found: Found): readonly string[];
}

export function readSetUp(words: Words, settings: ServeSettings, found: Found): ReadSetUp {
  const configFile = flagValue(words, '--config');
  const places = { ...processPlaces(), ...(configFile === undefined ? {} : { configFile }) };
  const read = (one: Found) => readApiSettings(places, foldersOf(one));
  const { settings: api, problems: ofApi } = read(found);
  const readSlack = (one: Found) =>
    settings.isInSlack ? readSlackSetUp(places, { folders: foldersOf(one), found: one, api }) : undefined;
  const slack = readSlack(found);
  const names = settings.embedPorts.map(({ name }) => name);
  const embed = names.length === 0 ? noEmbed : readEmbedSettings(places, { folders: foldersOf(found), names });
  // The same may be a warning to who only reads the file, and an error to who connects.
  const ofSlack = slack?.problems ?? [];
  const problems = [...unheard(ofApi, ofSlack), ...embed.problems, ...ofSlack];
  const before = JSON.stringify([api, slack?.config]);
  let said: readonly string[] = [];
  return {
    value: { ...toSetUp(settings, api, slack?.config), embed: embed.profiles },
    // What every agent's own configuration was told of already is said once, as what it is to a server.
    problems: [...found.problems.filter((told) => !problems.some((one) => isSame(told, one))), ...problems],
    oddities(one) {
      const all = [
        ...unfitOf(api, one),
        ...(settings.isTracingSlack && !slack ? ['Warning: --trace-slack says nothing without --slack.'] : []),
        ...(slack ? slackNotes(slack.config, { keys: api.keys, hosts: hostsOf(settings, api) }) : []),
      ];
      const news = all.filter((sentence) => !said.includes(sentence));
      said = all;
      return news;
    },
    changes: (later) =>
      JSON.stringify([read(later).settings, readSlack(later)?.config]) === before
        ? []
        : [
            `The section ${slack ? 'api or slack' : 'api'} of the configuration changed: it holds when the server is started again.`,
          ],
  };
}

/** Names that a key may call and that nobody has: mostly spelt wrong. */
function unfitOf({ keys = {} }: ApiSettings, { registry }: Found): readonly string[] {
  return Object.entries(keys).flatMap(([name, { agents = [] }]) => {
    const unfit = agents.filter((glob) => !registry.agents.some((one) => toMatcher([glob])(one.name)));
    if (unfit.length === 0) return [];
    const rest = unfit.length === agents.length ? '; it can call none' : '';
    return [`Warning: no agent that is served fits ${unfit.join(', ')}, which the key ${name} may call${rest}.`];
  });
}

function toSetUp(settings: ServeSettings, api: ApiSettings, slack: SlackConfig | undefined): Omit<SetUp, 'embed'> {
  const { alonePorts, embedPorts, mcpPorts, isOverStdio } = settings;
  const isElsewhere = alonePorts.length > 0 || embedPorts.length > 0 || mcpPorts.length > 0 || isOverStdio;
  // What Slack sends over HTTP comes by the port of all.
  const isPlaced = slack ? !isOverHttp(slack) : isElsewhere;
  return {
    ...(slack ? { slack } : {}),
    ...(api.keys ? { keys: api.keys } : {}),
    ...(api.cors ? { cors: api.cors } : {}),
    hosts: hostsOf(settings, api),
    host: settings.host ?? api.host ?? '127.0.0.1',
    port: settings.port ?? (isPlaced ? undefined : (api.port ?? usualPort)),
    graceMs: settings.graceMs ?? api.graceMs ?? usualGraceMs,
    concurrency: settings.concurrency ?? api.concurrency,
    waiting: settings.waiting ?? api.waiting,
    maxBodyBytes: settings.maxBodyBytes ?? api.maxBodyBytes,
    mcpPrompts: api.mcpPrompts,
    showActivity: api.showActivity,
  };
}

function hostsOf({ hosts }: ServeSettings, api: ApiSettings): readonly string[] {
  return [...(api.hosts ?? []), ...hosts];
}

const noEmbed = { profiles: {}, problems: [] };

const usualPort = 8080;
const usualGraceMs = 30_000;

/** Of those that are served: a sub-agent may have been set up to be served elsewhere. */
function foldersOf({ registry }: Found): readonly string[] {
  return [...new Set(registry.agents.map(({ file }) => dirname(file)))];
}

/** Those that are not among what was told already. */
function unheard(problems: readonly Problem[], told: readonly Problem[]): readonly Problem[] {
  return problems.filter((problem) => !told.some((one) => isSame(one, problem)));
}

function isSame(one: Problem, other: Problem): boolean {
  const toPlace = ({ code, file, line, key }: Problem) => JSON.stringify([code, file, line, key]);
  return toPlace(one) === toPlace(other);
}
