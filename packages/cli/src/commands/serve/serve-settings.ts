// What the flags of `serve` come to, checked before anything is loaded.

import { toMs } from '@ai-agent/agents';
import { flagValue, flagValues, type Misuse, type Words } from '../../arguments.ts';
import { misusedStore } from '../../store-choice.ts';
import { readTelling } from '../run/run-settings.ts';
import { type AloneHeadend, type AlonePort, aloneFlags } from './alone-ports.ts';
import { type EmbedPort, readEmbedPorts } from './embed-places.ts';
import { type McpPlaces, readMcpPlaces } from './mcp-places.ts';

export interface ServeSettings extends McpPlaces {
  /** Files, folders or globs; without any, what the configuration names or this folder has. */
  readonly entries: readonly string[];
  readonly host?: string | undefined;
  /** Names under which it is known, beside those of the configuration. */
  readonly hosts: readonly string[];
  /** Where all headends are; undefined when ports of single ones are named. */
  readonly port?: number | undefined;
  readonly alonePorts: readonly AlonePort[];
  /** Of chats in pages, each with its profile. */
  readonly embedPorts: readonly EmbedPort[];
  readonly isInSlack: boolean;
  readonly isTracingSlack: boolean;
  readonly isPlainlyOpen: boolean;
  readonly isWatching: boolean;
  readonly graceMs?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly waiting?: number | undefined;
  /** Of single headends, instead of that. */
  readonly ownConcurrency: Readonly<Partial<Record<AloneHeadend | 'embed', number>>>;
  readonly maxBodyBytes?: number | undefined;
  readonly isJson: boolean;
  readonly detail: 'errors' | 'usual' | 'all';
}

export function readServeSettings(words: Words): ServeSettings | Misuse {
  const problems: string[] = [];
  const number = (flag: string, least: number, most?: number) => {
    const value = flagValue(words, flag);
    return value === undefined ? undefined : toNumber({ flag, value, least, most }, problems);
  };
  const port = number('--port', 0, lastPort);
  const alonePorts = readAlonePorts(words, problems);
  const embedPorts = readEmbedPorts(flagValues(words, '--embed'), problems);
  const mcpPlaces = readMcpPlaces(flagValues(words, '--mcp'), problems);
  const ports = [port, ...[...alonePorts, ...embedPorts, ...mcpPlaces.mcpPorts].map((place) => place.port)].filter(
    (one) => one,
  );
  const twice = ports.find((one, i) => ports.indexOf(one) !== i);
  if (twice !== undefined)
    problems.push(`The port ${twice} is named twice. Each has one; --port ${twice} alone has every way in.`);
  const grace = flagValue(words, '--grace');
  const graceMs = grace === undefined ? undefined : toMs(grace);
  if (grace !== undefined && graceMs === undefined)
    problems.push(`--grace must be a time such as 30s or 2m; "${grace}" is none.`);
  const numbers = {
    concurrency: number('--concurrency', 1),
    waiting: number('--waiting', 0),
    maxBodyBytes: number('--max-body', 1),
  };
  const ownConcurrency = Object.fromEntries(
    [...aloneFlags, { headend: 'embed', concurrency: '--embed-concurrency' }].flatMap(({ headend, concurrency }) => {
      const most = number(concurrency, 1);
      return most === undefined ? [] : [[headend, most]];
    }),
  );
  const misused = misusedStore(words);
  if (misused) return misused;
  const telling = readTelling(words);
  if ('problem' in telling) return telling;
  const host = flagValue(words, '--host')?.trim();
  if (host === '') problems.push('--host must be an address, such as 127.0.0.1.');
  const hosts = flagValues(words, '--allow-host').map((name) => name.trim());
  const odd = hosts.find((name) => !/^[\w.-]+$|^\[[\da-f:.]+\]$/i.test(name));
  if (odd !== undefined)
    problems.push(`--allow-host must be a name without http:// and port, such as desk.example; "${odd}" is none.`);
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  const isGiven = (flag: string) => flagValue(words, flag) !== undefined;
  return {
    entries: [...flagValues(words, '--agent'), ...words.words.map(({ text }) => text)],
    host,
    hosts,
    port,
    alonePorts,
    embedPorts,
    ...mcpPlaces,
    isInSlack: isGiven('--slack'),
    isTracingSlack: isGiven('--trace-slack'),
    isPlainlyOpen: isGiven('--open'),
    isWatching: isGiven('--watch'),
    graceMs,
    ...numbers,
    ownConcurrency,
    isJson: isGiven('--json'),
    detail: telling.detail,
  };
}

function readAlonePorts(words: Words, problems: string[]): readonly AlonePort[] {
  return aloneFlags.flatMap(({ headend, port: flag }) =>
    flagValues(words, flag).flatMap((value) => {
      const port = toNumber({ flag, value, least: 0, most: lastPort }, problems);
      return port === undefined ? [] : [{ headend, port }];
    }),
  );
}

const lastPort = 65_535;

interface Given {
  readonly flag: string;
  readonly value: string;
  readonly least: number;
  readonly most?: number | undefined;
}

function toNumber({ flag, value, least, most }: Given, problems: string[]): number | undefined {
  const number = Number(value);
  const isWhole = /^\d+$/.test(value.trim()) && Number.isSafeInteger(number);
  if (isWhole && number >= least && number <= (most ?? number)) return number;
  const range = most === undefined ? `of ${least} or more` : `from ${least} to ${most}`;
  problems.push(`${flag} must be a whole number ${range}; "${value}" is none.`);
  return undefined;
}
