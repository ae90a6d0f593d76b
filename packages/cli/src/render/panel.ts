// The live panel: the tree of a run on a terminal, drawn while it works, left standing when it is done.

import { type AgentEvent, isOfAnswer, OpTreeFold, oneLine } from '@ai-agent/core';
import { Activity } from './activity.ts';
import { foldItems } from './fold-items.ts';
import { idsOver, speakersOf, toItem } from './panel-item.ts';
import { toLines } from './panel-lines.ts';
import { cut } from './piece.ts';
import { Region } from './region.ts';
import type { Screen } from './screen.ts';
import { whenSuspended } from './suspended.ts';

export interface PanelStyle {
  readonly isColoured: boolean;
  readonly now: () => number;
  /** A line below the tree while it is not empty. @default none */
  readonly waitsFor?: (() => string) | undefined;
  /** Whether a session that called nobody is left standing too. @default true */
  readonly leavesLone?: boolean | undefined;
}

const redrawEveryMs = 100;

/** More is not read at the end of a run; `--show-tree` has all of it. */
const mostLinesThatStay = 40;

export class Panel {
  readonly #screen: Screen;
  readonly #style: PanelStyle;
  readonly #region: Region;
  readonly #fold = new OpTreeFold();
  readonly #activity = new Activity();
  /** What was left standing further up. */
  readonly #shown = new Set<string>();
  readonly #redraw = () => this.#draw();
  /** A process may end at any moment, and its terminal lives on. */
  readonly #onExit = () => this.#region.release();
  readonly #unlisten: () => void;
  /** Lines that stay, until the next drawing: hundreds may come in a moment. */
  #said: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isLeft = false;
  /** Whose words are the answer, as far as they have come. */
  #speaker: string | undefined;

  constructor(screen: Screen, style: PanelStyle) {
    this.#screen = screen;
    this.#style = style;
    this.#region = new Region(screen);
    screen.on?.('resize', this.#redraw);
    process.once('exit', this.#onExit);
    this.#unlisten = whenSuspended({ leave: () => this.#region.clear(), back: this.#redraw });
  }

  onEvent(event: AgentEvent): void {
    this.#fold.add(event);
    this.#activity.add(event, this.#style.now());
    if (isOfAnswer(event)) this.#speaker = event.trace.selfId;
  }

  /** Draws it, and goes on drawing. */
  wake(): void {
    this.#isLeft = false;
    // Not at once: a window that has just changed says so first, and what is drawn is drawn for its new size.
    this.#timer ??= setInterval(() => setImmediate(this.#redraw), redrawEveryMs);
    this.#draw();
  }

  /** Takes it off the screen. */
  sleep(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#region.leave(this.#said.splice(0));
  }

  /** Writes a line that stays, above what is drawn. */
  say(line: string): void {
    if (this.#timer) this.#said.push(line);
    else this.#region.leave([line]);
  }

  /** Leaves it standing as it is now; what is over is not drawn again. */
  leave(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#isLeft = true;
    this.#region.leave([...this.#said.splice(0), ...this.#lines(mostLinesThatStay)]);
    const root = this.#fold.tree();
    if (root) for (const id of idsOver(root)) this.#shown.add(id);
  }

  /** A tree whose answer stands below it has been left already. */
  end(): void {
    this.#screen.off?.('resize', this.#redraw);
    process.off('exit', this.#onExit);
    this.#unlisten();
    if (!this.#isLeft || this.#fold.tree()?.status !== 'completed') this.leave();
  }

  #draw(): void {
    if (!this.#timer) return;
    const { height } = this.#region;
    // In a window of a line or two every drawing would scroll.
    this.#region.draw(height < 2 ? [] : this.#lines(height), this.#said.splice(0));
  }

  #lines(height: number): readonly string[] {
    const waits = this.#isLeft ? '' : oneLine(this.#style.waitsFor?.() ?? '');
    const below = waits === '' ? [] : [cut(waits, this.#region.width)];
    const root = this.#fold.tree();
    if (!root) return below;
    const { now, isColoured } = this.#style;
    const isShown = (id: string) => this.#shown.has(id);
    const item = toItem(root, {
      activity: this.#activity,
      now: now(),
      isShown,
      isLeft: this.#isLeft,
      ...(this.#isLeft && this.#speaker !== undefined ? { speakers: new Set(speakersOf(root, this.#speaker)) } : {}),
    });
    if (this.#isLeft && this.#style.leavesLone === false && item.below.length === 0) return below;
    const folded = foldItems(item, height - below.length);
    return [...toLines(folded, { width: this.#region.width, isColoured }), ...below];
  }
}
