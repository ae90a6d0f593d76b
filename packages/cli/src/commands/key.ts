// `ai-agent key <name>`: a fresh key for a server, shown once, and the entry of the configuration that lets it in.

import { randomBytes } from 'node:crypto';
import { hashOfKey } from '@ai-agent/agents';
import { flagValue, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { toPrintable } from '../render/printable.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import { misuse } from './misuse.ts';

const help = 'ai-agent key --help';

export function run(words: Words, terminal: Terminal): number {
  const [name = '', another] = words.words.map(({ text }) => text);
  const isJson = flagValue(words, '--json') !== undefined;
  if (name === '' || another !== undefined)
    return misuse(terminal, 'What is the key to be called? Give it one name.', { help, isJson });
  if (!/^[\w.-]{1,64}$/.test(name))
    return misuse(terminal, 'The name of a key has 1 to 64 letters, digits, _, . and - alone.', { help, isJson });
  const agents = flagValue(words, '--agents');
  const globs = agents
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (globs?.length === 0) return misuse(terminal, '--agents names no agent.', { help, isJson });
  const key = `aia_${randomBytes(32).toString('base64url')}`;
  const entry = { hash: hashOfKey(key), ...(globs ? { agents: globs } : {}) };
  const api = { keys: { [name]: entry } };
  const { stdout } = terminal;
  if (isJson) stdout.write(`${toJson({ name, key, hash: entry.hash, api }, stdout)}\n`);
  else stdout.write(toPrintable(toText(name, key, api)));
  return exitCodes.ok;
}

function toText(name: string, key: string, api: unknown): string {
  const entry = JSON.stringify({ api }, null, 2).split('\n').slice(1, -1).join('\n');
  return `The key ${name}, shown this once:

  ${key}

Its entry in .ai-agent.json:

${entry}

Clients send it as "Authorization: Bearer <key>" or as "x-api-key: <key>".
`;
}
