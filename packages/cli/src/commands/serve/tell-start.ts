// What is said when a server listens: where, whom one can ask, who may, and how it ends.

import { toLine } from '@ai-agent/agents';
import { oneLine, toSafeName } from '@ai-agent/core';
import { isLoopback, isWildcard } from '@ai-agent/server';
import { drawColumns } from '../../render/columns.ts';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';
import { findWebFiles } from '../../web-files.ts';
import type { Found } from '../find-agents.ts';
import { choicesOf } from '../run/before-run.ts';
import type { AgentsOnDuty } from './agents-on-duty.ts';
import type { Door } from './doors.ts';
import { embedNotes, namesAt } from './embed-places.ts';
import type { House } from './house.ts';
import { mcpAddressOf, toMcpEntry } from './mcp-entries.ts';
import { modelAddressOf, toModelLine } from './model-addresses.ts';
import { addressesOf, toUsable } from './reachable.ts';
import type { ServeSettings } from './serve-settings.ts';
import type { ServerLog } from './server-log.ts';
import type { SetUp } from './set-up.ts';
import { slackWords } from './slack-words.ts';
import type { StoreOfServer } from './store-of-server.ts';

export interface Started {
  readonly house: House;
  readonly settings: ServeSettings;
  readonly setUp: SetUp;
  readonly found: Found;
  readonly duty: AgentsOnDuty;
  readonly log: ServerLog;
  /** Sentences on what is odd about the set-up. */
  readonly oddities: readonly string[];
  readonly kept: Pick<StoreOfServer, 'store' | 'sentence'>;
}

export function tellStart(started: Started, { stdout, stderr, input }: Terminal): void {
  const { settings, found } = started;
  const { cwd } = input;
  if (settings.isJson) {
    // Where the protocol is spoken on stdout, nothing else is.
    (settings.isOverStdio ? stderr : stdout).write(`${JSON.stringify(toDocument(started))}\n`);
    for (const note of toNotes(started)) started.log.say(note);
    return;
  }
  if (settings.detail === 'errors') return;
  const choices = choicesOf(found.registry.agents, cwd);
  const before = [...found.problems.map((problem) => toLine(problem, cwd)), ...choices];
  for (const line of before) stderr.write(`${oneLine(line)}\n`);
  stderr.write(
    `${toWords(started, cwd)
      .map((line) => toPrintable(line))
      .join('\n')}\n`,
  );
}

/** Where nobody listens there is no address. */
function toDocument(started: Started): object {
  const { house, settings, kept } = started;
  const { doors } = house;
  const [first] = doors;
  const ports = doors.map(({ listening }) => listening.port);
  const mcp = doors.flatMap((door) => mcpAddressOf(door) ?? []);
  const openai = doors.flatMap((door) => modelAddressOf(door, 'openai') ?? []);
  const anthropic = doors.flatMap((door) => modelAddressOf(door, 'anthropic') ?? []);
  return {
    ...(first ? { url: first.listening.url, port: first.listening.port } : {}),
    ports,
    mcp: settings.isOverStdio ? ['stdio', ...mcp] : mcp,
    openai,
    anthropic,
    chat: doors.flatMap((door) => chatAddressOf(door) ?? []),
    slack: house.slack?.identity ?? null,
    agents: toServed(started).map(({ name }) => name),
    store: kept.store?.place ?? null,
  };
}

/** Those who can be asked at all: where there are ports for chats alone, whom those let one chat with. */
function toServed({ house, settings, setUp, duty: { agents } }: Started): AgentsOnDuty['agents'] {
  const isForChatsAlone = house.doors.length > 0 && house.doors.every(({ headend }) => headend === 'embed');
  if (!isForChatsAlone || settings.isOverStdio || settings.isInSlack) return agents;
  const names = agents.map(({ name }) => name);
  const met = new Set(settings.embedPorts.flatMap(({ name }) => namesAt(setUp.embed[name] ?? {}, names)));
  return agents.filter(({ name }) => met.has(name));
}

/** Where pages chat; undefined where they do not. */
function chatAddressOf({ headend, listening }: Door): string | undefined {
  return headend === undefined || headend === 'embed' ? `${toUsable(listening.url)}/v1/chat` : undefined;
}

function toWords(started: Started, cwd: string): readonly string[] {
  const { house, settings, setUp } = started;
  const agents = toServed(started);
  const api = house.doors.find(({ headend }) => headend === undefined || headend === 'rest');
  const url = api && toUsable(api.listening.url);
  const model = toModelLine(house, agents);
  const isForOthers = settings.isInSlack || house.doors.some(({ headend }) => headend === 'embed');
  const isOfMcp = url === undefined && model === undefined && !isForOthers;
  const rows = agents.map(({ name, agent }) => [
    // Where there is no other way in, as clients of MCP know it.
    isOfMcp ? toSafeName(name) : name,
    ...(url === undefined ? [] : [`${url}/v1/${encodeURIComponent(name)}`]),
    oneLine(agent.description ?? '').slice(0, 100),
  ]);
  const entry = toMcpEntry({ house, settings, agents, cwd });
  return [
    ...toHeads(started),
    ...drawColumns(rows, { width: undefined })
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(api?.headend === undefined && url !== undefined ? [toPage(url)] : []),
    ...(house.doors.length === 0 ? [] : [toAccess(house, setUp)]),
    started.kept.sentence,
    ...toNotes(started),
    ...(entry === undefined ? [] : [`For clients of MCP, as in .mcp.json: ${entry}`]),
    ...(model === undefined ? [] : [model]),
    [
      ...(url === undefined ? [] : [`The API is described at ${url}/docs.`]),
      ...(settings.isWatching ? ['Files are watched.'] : []),
      ...(settings.isOverStdio ? ['The end of its input stops it.'] : ['Ctrl-C stops it.']),
    ].join(' '),
  ];
}

/** A clone has no page until it is built. */
function toPage(url: string): string {
  if (findWebFiles()) return `Talk with them, and see what they do, at ${url}`;
  return `The page at ${url} is not built. Build it with: npm run build`;
}

/** A line for each place where somebody is served. */
function toHeads(started: Started): readonly string[] {
  const { house, settings } = started;
  const { doors } = house;
  const agents = toServed(started);
  const count = agents.length === 1 ? '1 agent' : `${agents.length} agents`;
  const places = [
    ...doors.map((door) => `on ${toPlace(door)}`),
    ...(settings.isOverStdio ? ['over MCP on stdin and stdout'] : []),
    ...(house.slack ? [`in Slack as ${house.slack.identity}`] : []),
  ];
  return places.map((place, i) => (i === 0 ? `Serving ${count} ${place}` : `and ${place}`));
}

function toPlace(door: Door): string {
  const { headend, listening } = door;
  if (headend === undefined) return toUsable(listening.url);
  if (headend === 'rest') return `${toUsable(listening.url)} (rest alone)`;
  if (headend === 'openai') return `${modelAddressOf(door, headend)} (OpenAI-style alone)`;
  if (headend === 'anthropic') return `${modelAddressOf(door, headend)} (Anthropic-style alone)`;
  if (headend === 'embed') return `${toUsable(listening.url)}/v1/chat (chats in pages alone)`;
  return `${mcpAddressOf(door)} (MCP alone)`;
}

function toAccess({ hasKeys }: House, { host, keys = {} }: SetUp): string {
  const reach = isLoopback(host) ? 'It is reached from this machine alone' : 'It is reached from other machines too';
  const count = Object.keys(keys).length;
  if (hasKeys) return `${reach}, with ${count === 1 ? 'a key' : `one of ${count} keys`}.`;
  return isLoopback(host) ? `${reach}; no key is needed.` : `${reach}, by everybody: no key is needed.`;
}

/** What one would not expect, and where a server that is everywhere can be found. */
function toNotes({ house, settings, setUp, oddities }: Started): readonly string[] {
  const { host, embed } = setUp;
  const [first] = house.doors;
  const elsewhere = first && isWildcard(host) ? addressesOf(host, first.listening.port) : [];
  return [
    ...(elsewhere.length === 0 ? [] : [`Other machines may find it at ${elsewhere.join(', ')}.`]),
    ...toIdleOpen(house, settings, host),
    ...settings.embedPorts.flatMap(({ name }) => embedNotes(name, embed[name] ?? {}, host)),
    ...slackWords(house, setUp),
    ...oddities,
  ];
}

function toIdleOpen({ hasKeys }: House, { isPlainlyOpen }: ServeSettings, host: string): readonly string[] {
  if (!isPlainlyOpen) return [];
  if (hasKeys) return ['--open changes nothing: there are keys, and whoever comes needs one.'];
  return isLoopback(host) ? ['--open changes nothing: it listens on this machine alone. Say --host 0.0.0.0 too.'] : [];
}
