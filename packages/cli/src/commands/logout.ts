// `ai-agent logout <file> [server]`: forgets what servers gave us when somebody signed in.

import { isSignedIn } from '@ai-agent/tools';
import { flagValue, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { toPrintable } from '../render/printable.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import { findLogins } from './find-logins.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const found = await findLogins(words, { command: 'logout', terminal });
  if (typeof found === 'number') return found;
  const tokens = (await import('../outside.ts')).openTokens();
  const servers = await Promise.all(
    found.servers.map(async ({ named, login }) => {
      const wasSignedIn = await isSignedIn(login, tokens);
      await tokens.delete(login.key);
      return { server: named.name, url: login.url, wasSignedIn };
    }),
  );
  const { stdout } = terminal;
  if (flagValue(words, '--json') !== undefined) stdout.write(`${toJson({ servers }, stdout)}\n`);
  else
    for (const { server, url, wasSignedIn } of servers)
      stdout.write(toPrintable(`${server}: ${wasSignedIn ? 'signed out of' : 'was not signed in at'} ${url}\n`));
  return exitCodes.ok;
}
