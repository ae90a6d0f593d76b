// Shows a run while it happens: a tree that redraws itself on a terminal, plain lines elsewhere.

import { type AgentEvent, OpTreeFold, toLogLine, toLogRecord } from '@ai-agent/core';
import { drawTree } from './tree.ts';

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Live {
  readonly onEvent: (event: AgentEvent) => void;
  /** Takes the tree off the screen, until what it returns is called: somebody else writes there. */
  aside(): () => void;
  /** Draws once more and leaves the tree standing. */
  end(): void;
}

const redrawEveryMs = 80;

export function showLive(
  screen: Screen,
  { isColoured, now }: { readonly isColoured: boolean; readonly now: () => number },
): Live {
  if (!screen.isTTY) return { onEvent: (event) => writeLine(screen, event), aside: () => () => {}, end: () => {} };
  const fold = new OpTreeFold();
  let drawn = 0;
  let isOver = false;
  let asides = 0;
  const erase = () => (drawn > 0 ? `\u001b[${drawn}A\r\u001b[J` : '');
  const draw = () => {
    const root = fold.tree();
    if (!root || asides > 0) return;
    const lines = drawTree(root, { width: screen.columns || 80, isColoured, now: now() });
    const back = erase();
    drawn = lines.length;
    screen.write(`${back}${lines.join('\n')}\n`);
  };
  const timer = setInterval(draw, redrawEveryMs);
  return {
    onEvent: (event) => fold.add(event),
    aside: () => {
      asides++;
      if (drawn > 0) screen.write(erase());
      drawn = 0;
      let isAside = true;
      return () => {
        if (!isAside) return;
        isAside = false;
        asides--;
        if (!isOver) draw();
      };
    },
    end: () => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      draw();
    },
  };
}

/** Sessions and tools as they start and end; what happens inside a turn is left out. */
function writeLine(screen: Screen, event: AgentEvent): void {
  if (event.kind !== 'fact') return;
  const record = toLogRecord(event);
  if (record.level !== 'debug') screen.write(`${toLogLine(record)}\n`);
}
