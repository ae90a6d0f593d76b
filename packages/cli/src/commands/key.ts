// `ai-agent key <name>`: a fresh key for a server, shown once, and the entry of the configuration that lets it in.

import { randomBytes } from 'node:crypto';
import { hashOfKey } from '@ai-agent/agents';
import { flagValue, type Misuse, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { toPrintable } from '../render/printable.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import { misuse } from './misuse.ts';

const help = 'ai-agent key --help';

const atClients = 'Clients send it as "Authorization: Bearer <key>" or as "x-api-key: <key>".';
const inPages = 'It may stand in pages of these origins, and is good from there alone; it is no secret.';

export function run(words: Words, terminal: Terminal): number {
  const [name = '', another] = words.words.map(({ text }) => text);
  const isJson = flagValue(words, '--json') !== undefined;
  if (name === '' || another !== undefined)
    return misuse(terminal, 'What is the key to be called? Give it one name.', { help, isJson });
  if (!/^[\w.-]{1,64}$/.test(name))
    return misuse(terminal, 'The name of a key has 1 to 64 letters, digits, _, . and - alone.', { help, isJson });
  const bounds = readBounds(words);
  if ('problem' in bounds) return misuse(terminal, bounds.problem, { help, isJson });
  // Whoever finds one sees at once whether it was meant to be found.
  const key = `${bounds.origins ? 'pk-' : 'aia_'}${randomBytes(32).toString('base64url')}`;
  const entry = { hash: hashOfKey(key), ...bounds };
  const api = { keys: { [name]: entry } };
  const { stdout } = terminal;
  if (isJson) stdout.write(`${toJson({ name, key, hash: entry.hash, api }, stdout)}\n`);
  else stdout.write(toPrintable(toText({ name, key, api, isPublishable: bounds.origins !== undefined })));
  return exitCodes.ok;
}

interface Bounds {
  readonly agents?: readonly string[];
  readonly requestsPerMinute?: number;
  readonly origins?: readonly string[];
}

function readBounds(words: Words): Bounds | Misuse {
  const agents = readList(flagValue(words, '--agents'));
  const origins = readList(flagValue(words, '--origins'));
  const rate = flagValue(words, '--requests-per-minute');
  if (agents?.length === 0) return { problem: '--agents names no agent.' };
  if (rate !== undefined && !/^[1-9]\d{0,8}$/.test(rate))
    return { problem: `--requests-per-minute must be a whole number of 1 or more; "${rate}" is none.` };
  if (origins && !(origins.length > 0 && origins.every(isOrigin)))
    return { problem: '--origins must be origins of pages, such as https://www.example.com, with commas between.' };
  if (origins && (!agents || rate === undefined))
    return {
      problem:
        'A key with --origins may stand in pages, where everybody reads it: say --agents and --requests-per-minute too.',
    };
  return {
    ...(agents ? { agents } : {}),
    ...(rate === undefined ? {} : { requestsPerMinute: Number(rate) }),
    ...(origins ? { origins } : {}),
  };
}

function readList(value: string | undefined): readonly string[] | undefined {
  return value
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase();
}

interface Made {
  readonly name: string;
  readonly key: string;
  readonly api: unknown;
  readonly isPublishable: boolean;
}

function toText({ name, key, api, isPublishable }: Made): string {
  const entry = JSON.stringify({ api }, null, 2).split('\n').slice(1, -1).join('\n');
  return `The key ${name}, shown this once:

  ${key}

Its entry in .ai-agent.json:

${entry}

${isPublishable ? inPages : atClients}
`;
}
