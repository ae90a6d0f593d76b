// The line at which somebody types a message: edited, remembered, sent with Enter.

import { EditedText } from './edited-text.ts';
import { editWith, type Key, nameOf } from './key.ts';
import { goesOn } from './message.ts';
import { PromptView } from './prompt-view.ts';
import type { TalkKeys } from './talk-keys.ts';
import type { TypedHistory } from './typed-history.ts';

export interface Prompting {
  readonly keys: TalkKeys;
  readonly isColoured: boolean;
  readonly history: TypedHistory;
  /** Words that a line may begin with, each with its slash. */
  readonly commands: readonly string[];
}

export interface Reading {
  readonly label: string;
  /** What stands there at first. @default nothing */
  readonly text?: string;
  /** Whether what is typed is one line that nobody looks for again. @default false */
  readonly isAnswer?: boolean;
}

export type Read = { readonly text: string } | { readonly isLeft: true };

const leaveHint = 'Press Ctrl-C once more to leave.';

export class Prompt {
  readonly #prompting: Prompting;
  #interrupt: (() => void) | undefined;
  #leave: (() => void) | undefined;
  /** A line below what is typed, until the next key. */
  #hint = '';

  constructor(prompting: Prompting) {
    this.#prompting = prompting;
  }

  /** Ctrl-C, or a signal that means it. Whether somebody types here. */
  interrupt(): boolean {
    const interrupt = this.#interrupt;
    interrupt?.();
    return interrupt !== undefined;
  }

  /** Nobody will type any more. */
  leave(): void {
    this.#leave?.();
  }

  async read({ label, text: first = '', isAnswer = false }: Reading): Promise<Read> {
    const { keys, isColoured } = this.#prompting;
    const text = new EditedText();
    text.set(first);
    const view = new PromptView(keys.screen, { label, isColoured });
    const redraw = () => view.draw(text, this.#hint);
    this.#hint = '';
    redraw();
    keys.screen.on('resize', redraw);
    process.on('SIGCONT', redraw);
    try {
      return await new Promise<Read>((resolve) => {
        const end = (read: Read) => {
          keys.rest();
          view.leave(text.text);
          resolve(read);
        };
        this.#leave = () => end({ isLeft: true });
        this.#interrupt = () => {
          if (text.text === '' && (this.#hint === leaveHint || isAnswer)) return end({ isLeft: true });
          text.set('');
          this.#hint = leaveHint;
          redraw();
        };
        const line = { text, view, isAnswer, end };
        keys.listen((key) => {
          const hint = this.#hint;
          this.#hint = '';
          if (nameOf(key) === 'ctrl-c') {
            this.#hint = hint;
            keys.interrupt();
          } else if (this.#press(key, line)) redraw();
        }, this.#leave);
      });
    } finally {
      keys.screen.off('resize', redraw);
      process.off('SIGCONT', redraw);
      this.#interrupt = undefined;
      this.#leave = undefined;
    }
  }

  /** Whether it has to be drawn again. */
  #press(key: Key, line: Line): boolean {
    const press = key.isPasted ? undefined : this.#presses[nameOf(key)];
    if (press) return press(line) !== false;
    return editWith(key, line.text);
  }

  readonly #presses: Readonly<Record<string, (line: Line) => boolean | undefined>> = {
    return: (line) => this.#enter(line),
    'ctrl-d': ({ text, end }) => {
      if (text.text !== '') text.deleteNext();
      else end({ isLeft: true });
      return text.text !== '';
    },
    'ctrl-l': ({ view }) => {
      view.clear();
      this.#prompting.keys.screen.write('\u001b[2J\u001b[H');
      return true;
    },
    'ctrl-z': ({ view }) => {
      view.clear();
      this.#prompting.keys.suspend();
      return false;
    },
    up: (line) => this.#older(line),
    'ctrl-p': (line) => this.#older(line),
    down: (line) => this.#newer(line),
    'ctrl-n': (line) => this.#newer(line),
    tab: ({ text }) => this.#complete(text),
  };

  #older({ text, isAnswer }: Line): boolean {
    const older = text.toLineAbove() || isAnswer ? undefined : this.#prompting.history.older(text.text);
    if (older !== undefined) text.set(older);
    return true;
  }

  #newer({ text, isAnswer }: Line): boolean {
    const newer = text.toLineBelow() || isAnswer ? undefined : this.#prompting.history.newer();
    if (newer !== undefined) text.set(newer);
    return true;
  }

  #enter({ text, isAnswer, end }: Line): boolean {
    text.set(text.text);
    if (!isAnswer && goesOn(text.text)) {
      text.insert('\n');
      return true;
    }
    if (!isAnswer) this.#prompting.history.add(text.text);
    end({ text: text.text });
    return false;
  }

  /** The command that was begun; what they are, when several begin so. */
  #complete(text: EditedText): boolean {
    const { commands } = this.#prompting;
    const fitting = commands.filter((command) => command.startsWith(text.text));
    const [one, other] = fitting;
    if (!/^\/\S*$/.test(text.text)) text.insert('  ');
    else if (one !== undefined && other === undefined) text.set(one);
    else this.#hint = (one === undefined ? commands : fitting).join('  ');
    return true;
  }
}

interface Line {
  readonly text: EditedText;
  readonly view: PromptView;
  readonly isAnswer: boolean;
  readonly end: (read: Read) => void;
}
