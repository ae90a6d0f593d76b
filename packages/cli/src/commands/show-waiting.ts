// A line on a terminal that says whom we wait for, for as long as we do.

import { oneLine } from '@ai-agent/core';
import { cut } from '../render/piece.ts';
import { toPrintable } from '../render/printable.ts';
import { sizeOf } from '../render/screen.ts';
import type { Terminal } from '../terminal.ts';

const redrawEveryMs = 100;

/** `whom` gives the line as it is now; an empty one shows nothing. */
export async function showWaiting<T>(whom: () => string, { stderr }: Terminal, work: () => Promise<T>): Promise<T> {
  if (!stderr.isTTY) return work();
  let shown = '';
  const show = (text: string) => {
    // One line, whatever the names are: more than a line could not be cleared.
    const line = cut(oneLine(toPrintable(text)), sizeOf(stderr).columns - 1);
    if (line !== shown) stderr.write(`\r\x1b[2K${line}`);
    shown = line;
  };
  show(whom());
  const timer = setInterval(() => show(whom()), redrawEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    show('');
  }
}
