// `ai-agent login <file> [server]`: signs in, in the browser, at the servers of an agent that want to know who we are.

import { type Failure, oneLine } from '@ai-agent/core';
import { isSignedIn } from '@ai-agent/tools';
import { flagValue, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { systemClock } from '../platform.ts';
import { toPrintable } from '../render/printable.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import { toProblem } from './connections.ts';
import { type Found, findLogins } from './find-logins.ts';
import { showPage } from './run/outside-of-run.ts';
import { askTools } from './tool-connections.ts';
import { untilInterrupted } from './until-interrupted.ts';

export function run(words: Words, terminal: Terminal): Promise<number> {
  return untilInterrupted(terminal, async (signal) => {
    const openPage = (url: string) => showPage(url, (line) => void terminal.stderr.write(`${line}\n`));
    const found = await findLogins(words, { command: 'login', terminal, outside: { openPage } });
    if (typeof found === 'number') return found;
    try {
      const signed: Signed[] = [];
      // One after the other: a person has one browser, and one mind.
      for (const server of found.servers) signed.push(await signIn(server, found, signal));
      return tell(signed, words, terminal);
    } finally {
      await found.close();
    }
  });
}

interface Signed {
  readonly server: string;
  readonly url: string;
  readonly status: 'signed-in' | 'not-needed' | 'failed';
  readonly failure?: Failure;
}

async function signIn({ named, login }: Found['servers'][number], found: Found, signal: AbortSignal): Promise<Signed> {
  const [asked] = await askTools([named], { toolset: found.toolset, signal, now: systemClock.monotonicMs });
  const server = { server: named.name, url: login.url };
  if (asked?.failure) return { ...server, status: 'failed', failure: asked.failure };
  const { openTokens } = await import('../outside.ts');
  return { ...server, status: (await isSignedIn(login, openTokens())) ? 'signed-in' : 'not-needed' };
}

function tell(signed: readonly Signed[], words: Words, { stdout }: Terminal): number {
  const failed = signed.find(({ failure }) => failure)?.failure;
  if (flagValue(words, '--json') !== undefined) {
    const servers = signed.map(({ failure, ...one }) => ({
      ...one,
      ...(failure ? { problem: toProblem(failure) } : {}),
    }));
    stdout.write(`${toJson({ servers }, stdout)}\n`);
  } else for (const one of signed) stdout.write(`${toPrintable(toWords(one))}\n`);
  return failed ? exitCodes.byClass[failed.class] : exitCodes.ok;
}

function toWords({ server, url, status, failure }: Signed): string {
  if (failure) {
    const { class: itsClass, message, remedy } = toProblem(failure);
    return `${server}: failed (${itsClass}): ${message}\nWhat to do: ${remedy}`;
  }
  return oneLine(status === 'signed-in' ? `${server}: signed in at ${url}` : `${server}: ${url} asks for no sign-in`);
}
