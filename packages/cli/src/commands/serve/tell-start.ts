// What is said when a server listens: where, whom one can ask, who may, and how it ends.

import { toLine } from '@ai-agent/agents';
import { oneLine } from '@ai-agent/core';
import { isLoopback, isWildcard } from '@ai-agent/server';
import { drawColumns } from '../../render/columns.ts';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';
import type { Found } from '../find-agents.ts';
import { choicesOf } from '../run/before-run.ts';
import type { AgentsOnDuty } from './agents-on-duty.ts';
import type { House } from './house.ts';
import { addressesOf, toUsable } from './reachable.ts';
import type { ServeSettings } from './serve-settings.ts';
import type { ServerLog } from './server-log.ts';
import type { SetUp } from './set-up.ts';

export interface Started {
  readonly house: House;
  readonly settings: ServeSettings;
  readonly setUp: SetUp;
  readonly found: Found;
  readonly duty: AgentsOnDuty;
  readonly log: ServerLog;
  /** Sentences on what is odd about the set-up. */
  readonly oddities: readonly string[];
}

export function tellStart(started: Started, { stdout, stderr, input }: Terminal): void {
  const { house, settings, found, duty } = started;
  const [first] = house.doors;
  if (!first) return;
  const { url, port } = first.listening;
  const names = duty.agents.map(({ name }) => name);
  if (settings.isJson) {
    const ports = house.doors.map(({ listening }) => listening.port);
    stdout.write(`${JSON.stringify({ url, port, ports, agents: names })}\n`);
    for (const note of toNotes(started)) started.log.say(note);
    return;
  }
  if (settings.detail === 'errors') return;
  const { cwd } = input;
  const choices = choicesOf(found.registry.agents, cwd);
  const before = [...found.problems.map((problem) => toLine(problem, cwd)), ...choices];
  for (const line of before) stderr.write(`${oneLine(line)}\n`);
  stderr.write(
    `${toWords(started)
      .map((line) => toPrintable(line))
      .join('\n')}\n`,
  );
}

function toWords(started: Started): readonly string[] {
  const { house, settings, setUp, duty } = started;
  const { agents } = duty;
  const count = agents.length === 1 ? '1 agent' : `${agents.length} agents`;
  const heads = house.doors.map(({ listening, headend }, i) => {
    const alone = headend === undefined ? '' : ` (${headend} alone)`;
    const at = `${toUsable(listening.url)}${alone}`;
    return i === 0 ? `Serving ${count} on ${at}` : `and on ${at}`;
  });
  const url = toUsable(house.doors[0]?.listening.url ?? '');
  const rows = agents.map(({ name, agent }) => [
    name,
    `${url}/v1/${encodeURIComponent(name)}`,
    oneLine(agent.description ?? '').slice(0, 100),
  ]);
  return [
    ...heads,
    ...drawColumns(rows, { width: undefined })
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    toAccess(house, setUp),
    ...toNotes(started),
    `The API is described at ${url}/docs.${settings.isWatching ? ' Files are watched.' : ''} Ctrl-C stops it.`,
  ];
}

function toAccess({ hasKeys }: House, { host, keys = {} }: SetUp): string {
  const reach = isLoopback(host) ? 'It is reached from this machine alone' : 'It is reached from other machines too';
  const count = Object.keys(keys).length;
  if (hasKeys) return `${reach}, with ${count === 1 ? 'a key' : `one of ${count} keys`}.`;
  return isLoopback(host) ? `${reach}; no key is needed.` : `${reach}, by everybody: no key is needed.`;
}

/** What one would not expect, and where a server that is everywhere can be found. */
function toNotes({ house, settings, setUp: { host }, oddities }: Started): readonly string[] {
  const [first] = house.doors;
  const elsewhere = first && isWildcard(host) ? addressesOf(host, first.listening.port) : [];
  return [
    ...(elsewhere.length === 0 ? [] : [`Other machines may find it at ${elsewhere.join(', ')}.`]),
    ...toIdleOpen(house, settings, host),
    ...oddities,
  ];
}

function toIdleOpen({ hasKeys }: House, { isPlainlyOpen }: ServeSettings, host: string): readonly string[] {
  if (!isPlainlyOpen) return [];
  if (hasKeys) return ['--open changes nothing: there are keys, and whoever comes needs one.'];
  return isLoopback(host) ? ['--open changes nothing: it listens on this machine alone. Say --host 0.0.0.0 too.'] : [];
}
