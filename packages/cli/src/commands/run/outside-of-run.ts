// What a run has to do with servers: who is being started, which pages a person is shown, and what passes.

import { oneLine } from '@ai-agent/core';
import type { OutsideOptions } from '../../outside.ts';
import { toPrintable } from '../../render/printable.ts';
import type { Terminal } from '../../terminal.ts';
import { WatchedTools } from '../watched-tools.ts';

export class OutsideOfRun {
  readonly watched = new WatchedTools();
  readonly #terminal: Terminal;
  #say: (line: string) => void;
  #startsAtOnce: number | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#say = (line) => void terminal.stderr.write(`${line}\n`);
  }

  /** Who has the screen writes the lines from now on. */
  sayTo(say: (line: string) => void): void {
    this.#say = say;
  }

  /** Asked for when the first server is started: by then files and flags are read. */
  startAtOnce(count: unknown): void {
    if (typeof count === 'number') this.#startsAtOnce = count;
  }

  toOptions(onTraffic: OutsideOptions['onTraffic']): Omit<OutsideOptions, 'cwd' | 'homeFolder'> {
    return {
      startsAtOnce: () => this.#startsAtOnce,
      ...(onTraffic ? { onTraffic } : {}),
      ...(canShowPages(this.#terminal) ? { openPage: (url) => showPage(url, (line) => this.#say(line)) } : {}),
    };
  }
}

/** Somebody sits there, or has said what to do with pages. */
export function canShowPages({ stderr }: Terminal): boolean {
  return stderr.isTTY === true || (process.env.BROWSER ?? '') !== '';
}

/** In the browser; the line is for whoever has none. */
export async function showPage(url: string, say: (line: string) => void): Promise<void> {
  say(oneLine(`To sign in, open this page if your browser does not: ${toPrintable(url)}`));
  const { openPage } = await import('../../outside.ts');
  await openPage(url).catch(() => {});
}
