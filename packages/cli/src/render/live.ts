// What shows a run while it happens.

import type { AgentEvent } from '@ai-agent/core';
import type { Detail } from './plain-lines.ts';
import type { Screen } from './screen.ts';

export interface Live {
  onEvent(event: AgentEvent): void;
  /** Takes what is drawn off the screen, for as long as somebody else writes there. Gives how to go on. */
  aside(): () => void;
  /** Writes a line that stays. */
  say(line: string): void;
  /** Whether this text was written while it came. */
  isRead(text: string): boolean;
  /** Draws once more and leaves the tree standing. */
  end(): void;
}

export interface LiveOptions {
  readonly screen: Screen;
  readonly isColoured: boolean;
  readonly now: () => number;
  /** @default 'usual' */
  readonly detail?: Detail;
  /** Whom sessions wait for before they open, in a line; empty when nobody. @default nobody */
  readonly waitsFor?: (() => string) | undefined;
  /** Whether the line of a session that called nobody is left standing too. @default true */
  readonly leavesLone?: boolean | undefined;
  /** The terminal to which the answer goes while it comes. @default none, it is printed at the end */
  readonly answerTo?: Screen | undefined;
}
