// `ai-agent sessions export <id>`: all that is kept of a session as JSON, or what was said as Markdown.

import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { AgentError, messageOf } from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import { exitCodes } from '../../exit-codes.ts';
import { toPrintable } from '../../render/printable.ts';
import { toJson } from '../../render/to-json.ts';
import type { Terminal } from '../../terminal.ts';
import type { KeptSession } from './kept-session.ts';
import { toMarkdown } from './to-markdown.ts';
import { withSession } from './with-session.ts';

export async function run(words: Words, terminal: Terminal): Promise<number | Misuse> {
  const file = flagValue(words, '--output', '-o');
  const format = (flagValue(words, '--format') ?? usualFor(file)).trim().toLowerCase();
  if (format !== 'json' && format !== 'markdown')
    return { problem: `--format is json or markdown; "${format}" is neither.` };
  if (file?.trim() === '') return { problem: '--output needs the name of a file.' };
  return withSession(words, terminal, async (session) => {
    const { stdout, stderr, input } = terminal;
    if (file === undefined) {
      stdout.write(format === 'json' ? `${toJson(toExport(session), stdout)}\n` : toMarkdown(session));
      return exitCodes.ok;
    }
    const text = format === 'json' ? `${JSON.stringify(toExport(session), null, 2)}\n` : toMarkdown(session);
    const named = withName(file, `${session.head.id}.${format === 'json' ? 'json' : 'md'}`, input.cwd);
    await write(resolve(input.cwd, named), text, flagValue(words, '--yes', '-y') !== undefined);
    stderr.write(`The session ${session.head.id} is in ${toPrintable(named)}.\n`);
    return exitCodes.ok;
  });
}

/** By the ending of the file. */
function usualFor(file = ''): string {
  return ['.md', '.markdown'].includes(extname(file.trim()).toLowerCase()) ? 'markdown' : 'json';
}

/** In a folder it has the name of its session. */
function withName(file: string, name: string, cwd: string): string {
  try {
    return statSync(resolve(cwd, file)).isDirectory() ? join(file, name) : file;
  } catch {
    // Writing it says what is wrong, if anything is.
    return file;
  }
}

/** Facts are all there is: everything else is folded from them. */
function toExport({ head, facts, ledger, rounds }: KeptSession): object {
  const conversation = rounds.at(-1)?.messages ?? [];
  return { format: 'ai-agent-session', version: 1, head, conversation, ledger, facts };
}

/** What was said may be private: nobody else reads the file. */
async function write(path: string, text: string, mayReplace: boolean): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600, flag: mayReplace ? 'w' : 'wx' });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const message = isThere ? `There is a file ${path} already.` : `${path} cannot be written: ${messageOf(error)}.`;
    const remedy = isThere ? 'Name another file, or say --yes to write over it.' : 'Name another file.';
    throw new AgentError('session-input-invalid', message, { remedy, cause: error });
  }
}
