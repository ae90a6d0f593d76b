// The section `slack`, and the variables that stand for what it leaves out: how agents are in Slack. Whatever is wrong with it stops the server.

import type { Budget } from '@ai-agent/core';
import { type Place, type Problem, Problems } from '../problem.ts';
import type { World } from '../world.ts';
import { type ApiKey, toBudget } from './api-settings.ts';
import { ConfigFiles } from './config-file.ts';
import { ConfigProblems } from './config-problems.ts';
import { type Configuration, openConfiguration } from './configuration.ts';
import { type Piece, placeWithin, toMissing } from './entry.ts';
import { fillAt } from './fill-at.ts';
import { slack } from './slack-shape.ts';
import { checkSlackTokens, type SlackTokens, slackVariables } from './slack-tokens.ts';

/** Where Slack's own settings stand, and what of it is the house's. */
export interface SlackConfig extends SlackTokens {
  readonly enabled?: boolean;
  readonly apiUrl?: string;
  /** The name of the key in `api.keys` that stands for Slack. */
  readonly key?: string;
  readonly perUser?: Omit<ApiKey, 'hash' | 'agents' | 'origins'>;
  readonly concurrency?: number;
  readonly admins?: readonly string[];
  readonly mentions?: boolean;
  readonly dms?: boolean;
  readonly threadReplies?: boolean;
  readonly streaming?: 'auto' | 'edits';
  readonly command?: string;
  readonly pageUrl?: string;
  readonly updateIntervalMs?: number;
  readonly historyLimit?: number;
  readonly historyCharsCap?: number;
  readonly openerTone?: string;
  readonly routing?: SlackRoutingConfig;
}

type Engagement = 'mentions' | 'dms' | 'channel-posts';

export interface SlackRouteConfig {
  /** A name, or a file relative to the folder of the first agent. */
  readonly agent?: string;
  readonly engage?: readonly Engagement[];
  readonly promptTemplates?: { readonly mention?: string; readonly dm?: string; readonly channelPost?: string };
  readonly contextPolicy?: 'none' | 'thread' | 'channel';
}

export interface SlackRoutingConfig {
  readonly deny?: readonly { readonly channels?: readonly string[]; readonly engage?: readonly Engagement[] }[];
  readonly rules?: readonly (SlackRouteConfig & {
    readonly enabled?: boolean;
    readonly channels?: readonly string[];
    readonly bots?: boolean;
  })[];
  readonly default?: SlackRouteConfig;
}

export interface ReadSlack {
  /** To be used only where no problem is an error. */
  readonly settings: SlackConfig;
  readonly problems: readonly Problem[];
  /** Where a part of the section stands, for who finds something wrong with it later. */
  place(...path: readonly string[]): Place;
}

type Places = Pick<World, 'cwd' | 'env' | 'homeFolder' | 'systemFolder' | 'configFile'>;

export interface WantedOfSlack {
  /** Of the agents that are served. */
  readonly folders: readonly string[];
  /** Whether somebody connects: then tokens must be there, and fit. @default true */
  readonly connects?: boolean;
}

/** Never throws for what a file says, and shows nothing of a token. */
export function readSlackSettings(world: Places, { folders, connects = true }: WantedOfSlack): ReadSlack {
  const problems = new Problems();
  // Who connects has loaded agents as well, and was told then what is wrong with the files.
  const files = new ConfigFiles(connects ? new Problems() : problems);
  const { env: environment, ...places } = world;
  const around = folders.length === 0 ? [world.cwd] : [...new Set(folders)];
  const all = around.map((agentFolder) =>
    openConfiguration({ ...places, agentFolder, environment, isServer: true }, files),
  );
  const sections = all.map((one) => one.section('slack')).filter((one) => one !== undefined);
  const [section] = sections;
  const place = (...path: readonly string[]): Place =>
    section ? placeWithin(section, ['slack'], path) : { file: '.ai-agent.json', key: ['slack', ...path].join('.') };
  const other = sections.find(({ file }) => file !== section?.file);
  if (section && other)
    problems.error('key-conflict', placeWithin(other, ['slack'], []), `${section.file} has another; keep one of them`);
  if (connects) for (const { layers } of all) tellHiddenBounds(layers, problems);
  if (connects && section && section.missing.length > 0)
    problems.error('secret-missing', place(), toMissing(section.missing));
  const written = section ? readSection(section, problems) : {};
  const { settings, from } = withVariables(written, all);
  if (connects) checkConnecting(settings, { problems, place, from, isAlreadyWrong: problems.errorCount > 0 });
  return { settings, problems: connects ? problems.all.map(asStrict) : problems.all, place };
}

/** The section is taken whole: one without what bounds, in front of one that has it, would open what that one closes. */
function tellHiddenBounds(layers: Configuration['layers'], problems: Problems): void {
  const sections = layers.flatMap(({ file, root }) => {
    const field = root.fields?.get('slack');
    return field?.at.fields ? [{ file, field, fields: field.at.fields }] : [];
  });
  const [first, ...rest] = sections;
  if (!first) return;
  for (const key of bounding) {
    const [name = '', inner] = key.split('.');
    const has = ({ fields }: (typeof sections)[number]) =>
      inner === undefined ? fields.has(name) : (fields.get(name)?.at.fields?.has(inner) ?? false);
    const hidden = has(first) ? undefined : rest.find(has);
    if (!hidden) continue;
    const { line } = first.field;
    const place = { file: first.file, key: 'slack', ...(line === undefined ? {} : { line }) };
    problems.error('key-conflict', place, `has no ${key}, and hides that of ${hidden.file}; write it here too`);
  }
}

/** What says who may not, or how much. */
const bounding = ['routing.deny', 'routing.default', 'mentions', 'dms', 'perUser', 'concurrency', 'key'] as const;

/** What is spelt wrong may be the word that closes a channel, or bounds a person: nobody connects with that. */
function asStrict(problem: Problem): Problem {
  const isOurs = problem.key === 'slack' || problem.key?.startsWith('slack.');
  const isGrave = isOurs && (problem.code === 'key-unknown' || problem.code === 'config-invalid');
  return isGrave ? { ...problem, severity: 'error' } : problem;
}

interface Read extends Omit<SlackConfig, 'perUser'> {
  readonly perUser?: Omit<NonNullable<SlackConfig['perUser']>, 'budget'> & {
    readonly budget?: Budget & { readonly time?: number };
  };
}

function readSection(section: Piece, problems: Problems): SlackConfig {
  const at = fillAt(section.at, section.variables);
  const place = placeWithin(section, ['slack'], []);
  const { perUser, ...read } = (slack.read({ at, place, problems: new ConfigProblems(problems) }) ?? {}) as Read;
  if (!perUser) return read;
  const { budget, ...bounds } = perUser;
  return { ...read, perUser: { ...bounds, ...(budget ? { budget: toBudget(budget) } : {}) } };
}

interface Filled {
  readonly settings: SlackConfig;
  /** Where each was said that the section does not say: the name of its variable. */
  readonly from: ReadonlyMap<string, string>;
}

/** What the section says comes first; what is empty is missing. */
function withVariables(written: SlackConfig, all: readonly Configuration[]): Filled {
  const settings: Record<string, unknown> = { ...written };
  const from = new Map<string, string>();
  for (const [field, variable] of Object.entries(slackVariables)) {
    const own = settings[field];
    if (typeof own === 'string' && own.trim() !== '') {
      settings[field] = own.trim();
      continue;
    }
    delete settings[field];
    const held = all.map((one) => one.lookUp(variable)).find((value) => value !== undefined);
    if (held === undefined) continue;
    settings[field] = held.trim();
    from.set(field, variable);
  }
  return { settings, from };
}

interface Checking {
  readonly problems: Problems;
  readonly place: ReadSlack['place'];
  readonly from: Filled['from'];
  readonly isAlreadyWrong: boolean;
}

function checkConnecting(settings: SlackConfig, { problems, place, from, isAlreadyWrong }: Checking): void {
  const whereIs = (field: string): Place => {
    const variable = from.get(field);
    return variable === undefined ? place(field) : { file: variable };
  };
  if (settings.enabled === false) {
    const remedy = 'Take enabled out of slack in .ai-agent.json, or start the server without --slack.';
    const message = 'is false, and --slack was said';
    problems.add('error', { code: 'config-invalid', place: place('enabled'), message, remedy });
    return;
  }
  if (isAlreadyWrong) return;
  checkSlackTokens(settings, { problems, whereIs });
}
