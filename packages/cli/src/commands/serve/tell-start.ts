// What is said when a server listens: where, whom one can ask, who may, and how it ends.

import { toLine } from '@ai-agent/agents';
import { oneLine } from '@ai-agent/core';
import { isLoopback } from '@ai-agent/server';
import { drawColumns } from '../../render/columns.ts';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';
import type { Found } from '../find-agents.ts';
import { choicesOf } from '../run/before-run.ts';
import type { AgentsOnDuty } from './agents-on-duty.ts';
import type { House } from './house.ts';
import type { ServeSettings } from './serve-settings.ts';
import type { SetUp } from './set-up.ts';

export interface Started {
  readonly house: House;
  readonly settings: ServeSettings;
  readonly setUp: SetUp;
  readonly found: Found;
  readonly duty: AgentsOnDuty;
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
    return;
  }
  if (settings.detail === 'errors') return;
  const { cwd } = input;
  const choices = found.registry.agents.flatMap((loaded) => choicesOf(loaded, cwd));
  const before = [...found.problems.map((problem) => toLine(problem, cwd)), ...new Set(choices)];
  for (const line of before) stderr.write(`${oneLine(line)}\n`);
  stderr.write(
    `${toWords(started)
      .map((line) => toPrintable(line))
      .join('\n')}\n`,
  );
}

function toWords({ house, settings, setUp, duty }: Started): readonly string[] {
  const { agents } = duty;
  const count = agents.length === 1 ? '1 agent' : `${agents.length} agents`;
  const heads = house.doors.map(({ listening, headend }, i) => {
    const alone = headend === undefined ? '' : ` (${headend} alone)`;
    return i === 0 ? `Serving ${count} on ${listening.url}${alone}` : `and on ${listening.url}${alone}`;
  });
  const url = house.doors[0]?.listening.url ?? '';
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
    `The API is described at ${url}/docs.${settings.isWatching ? ' Files are watched.' : ''} Ctrl-C stops it.`,
  ];
}

function toAccess({ hasKeys }: House, { host, keys = {} }: SetUp): string {
  const reach = isLoopback(host) ? 'It is reached from this machine alone' : 'It is reached from other machines too';
  const count = Object.keys(keys).length;
  if (hasKeys) return `${reach}, with ${count === 1 ? 'a key' : `one of ${count} keys`}.`;
  return isLoopback(host) ? `${reach}; no key is needed.` : `${reach}, by everybody: no key is needed.`;
}
