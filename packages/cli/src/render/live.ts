// Shows a run while it happens: a panel on a terminal, plain lines elsewhere; quietly only what failed on the way.

import type { AgentEvent } from '@ai-agent/core';
import { AnswerStream } from './answer-stream.ts';
import { Panel } from './panel.ts';
import { type Detail, toPlainLine } from './plain-lines.ts';
import type { Screen } from './screen.ts';

export interface Live {
  onEvent(event: AgentEvent): void;
  /** Takes what is drawn off the screen, for as long as somebody else writes there. Gives how to go on. */
  aside(): () => void;
  /** Writes a line that stays. */
  say(line: string): void;
  /** The answer as far as it was written while it came. */
  written(): string;
  /** Draws once more and leaves the tree standing. */
  end(): void;
}

export interface LiveOptions {
  readonly screen: Screen;
  readonly isColoured: boolean;
  readonly now: () => number;
  /** @default 'usual' */
  readonly detail?: Detail;
  /** The terminal to which the answer goes while it comes. @default none, it is printed at the end */
  readonly answerTo?: Screen | undefined;
}

export function showLive(options: LiveOptions): Live {
  const { screen, detail = 'usual' } = options;
  return screen.isTTY && detail !== 'errors' ? toPanel(options) : toPlain(screen, detail);
}

function toPlain(screen: Screen, detail: Detail): Live {
  const say = (line: string) => screen.write(`${line}\n`);
  return {
    onEvent(event) {
      const line = toPlainLine(event, detail);
      if (line !== undefined) say(line);
    },
    aside: () => () => {},
    say,
    written: () => '',
    end: () => {},
  };
}

function toPanel({ screen, detail, answerTo, ...style }: LiveOptions): Live {
  const panel = new Panel(screen, style);
  let isOver = false;
  let asides = 0;
  // Whoever writes on the screen meanwhile is not drawn over.
  const stage = {
    leave: () => panel.leave(),
    wake: () => {
      if (asides === 0 && !isOver) panel.wake();
    },
  };
  const answer = answerTo ? new AnswerStream(answerTo, stage) : undefined;
  const say = (line: string) => {
    answer?.breakLine();
    panel.say(line);
  };
  stage.wake();
  return {
    onEvent(event) {
      panel.onEvent(event);
      answer?.onEvent(event);
      const line = detail === 'all' ? toPlainLine(event, 'all') : undefined;
      if (line !== undefined) say(line);
    },
    aside() {
      asides++;
      panel.sleep();
      return () => {
        asides--;
        stage.wake();
      };
    },
    say,
    written: () => answer?.text ?? '',
    end() {
      if (isOver) return;
      isOver = true;
      answer?.end();
      panel.end();
    },
  };
}
