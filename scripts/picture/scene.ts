// The run that is shown: a real one, caught in the middle of its work, and then its end.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveScript } from '@ai-agent/cli/testing';
import { type OpenTerminal, openTerminal } from '../../packages/cli/test/support/terminal.ts';
import { type Cell, toCells } from './cells.ts';
import { answer, writeTeam } from './team.ts';

const command = join(import.meta.dirname, '../../node_modules/.bin/ai-agent');
const question = 'Should we open a ferry line to Arholma?';

export type Picture = readonly (readonly Cell[])[];

/** What was typed, the screen while they work, and all of it at the end, line by line. */
export async function photograph(): Promise<Picture> {
  const taken = Promise.withResolvers<void>();
  const server = await serveScript((request) => answer(request, taken.promise));
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  writeTeam(folder, server.baseUrl);
  const terminal = openTerminal({
    program: command,
    // Its id would be another one every time.
    args: ['lead.ai', question, '--no-store'],
    cwd: folder,
    columns: 96,
    rows: 24,
    env: { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: join(folder, 'home') },
  });
  try {
    await shows(terminal, /✓ researcher\[1\][\s\S]*✓ source\[1\][\s\S]*source\[2\].*thinking[\s\S]*✓ critic/);
    const during = toCells(terminal.emulator);
    taken.resolve();
    await terminal.ended;
    const after = toCells(terminal.emulator);
    return [written(`$ ai-agent lead.ai "${question}"`, 'plain'), ...during, [], written('⋮', 'dim'), [], ...after];
  } finally {
    taken.resolve();
    await terminal.ended;
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function written(text: string, colour: Cell['colour']): readonly Cell[] {
  return [...text].map((letter) => ({ text: letter, colour, isBold: colour === 'plain' }));
}

async function shows({ history }: OpenTerminal, words: RegExp): Promise<void> {
  const until = Date.now() + 20_000;
  while (!words.test(history().join('\n'))) {
    if (Date.now() > until) throw new Error(`The screen never showed ${words}:\n${history().join('\n')}`);
    await sleep(20);
  }
}
