// The keys of a talk, one by one from its beginning to its end: lent to whoever asks something in between.

import { EventEmitter } from 'node:events';
import { emitKeypressEvents } from 'node:readline';
import { StringDecoder } from 'node:string_decoder';
import type { Keyboard, KeyboardOptions } from '../../keyboard.ts';
import { toPrintable } from '../../render/printable.ts';
import { type Key, nameOf } from './key.ts';

type OpenKeyboard = (options?: KeyboardOptions) => Promise<Keyboard>;

/** Between these a terminal tells what is pasted. */
const [pasteStart, pasteEnd] = ['\u001b[200~', '\u001b[201~'];
/** Not an escape alone: that is a key. */
const partsOfStart = [5, 4, 3, 2].map((length) => pasteStart.slice(0, length));
const [tellPastes, tellNoPastes] = ['\u001b[?2004h', '\u001b[?2004l'];

export class TalkKeys {
  readonly #keyboard: Keyboard;
  readonly #typed = new EventEmitter();
  readonly #decoder = new StringDecoder('utf8');
  /** What may be the beginning of a mark. */
  #held = '';
  #pasted: string | undefined;
  #onKey: ((key: Key) => void) | undefined;
  /** Pressed while nobody listened. */
  readonly #waiting: Key[] = [];
  #onEnd: () => void = () => {};
  #isLent = false;

  static async open(openKeyboard: OpenKeyboard): Promise<TalkKeys> {
    return new TalkKeys(await openKeyboard({ keepsTyped: true }));
  }

  private constructor(keyboard: Keyboard) {
    this.#keyboard = keyboard;
    emitKeypressEvents(this.#typed as unknown as NodeJS.ReadableStream);
    this.#typed.on('keypress', (text: string | undefined, key: Key) => this.#tell({ ...key, text }));
    keyboard.keys.on('data', this.#onData).on('end', this.#end).on('close', this.#end);
    process.once('exit', this.#leave);
    process.on('SIGCONT', this.#back);
    keyboard.screen.write(tellPastes);
    keyboard.keys.resume();
  }

  /** Who hears them from now on, also those that have waited, and hears when none will come any more. */
  listen(onKey: (key: Key) => void, onEnd: () => void): void {
    this.#onKey = onKey;
    this.#onEnd = onEnd;
    while (this.#onKey === onKey) {
      const key = this.#waiting.shift();
      if (!key) return;
      onKey(key);
    }
  }

  /** From now on they wait for the next who listens. */
  rest(): void {
    this.#onKey = undefined;
    this.#onEnd = () => {};
  }

  get screen(): Keyboard['screen'] {
    return this.#keyboard.screen;
  }

  interrupt(): void {
    this.#keyboard.interrupt();
  }

  /** Opens them for somebody else, and takes them back when that one has done. */
  readonly lendTo =
    (openKeyboard: OpenKeyboard): OpenKeyboard =>
    async (options) => {
      const { keys, screen } = this.#keyboard;
      this.#isLent = true;
      keys.off('data', this.#onData);
      screen.write(tellNoPastes);
      const lent = await openKeyboard(options);
      return {
        ...lent,
        release: () => {
          lent.release();
          this.#isLent = false;
          keys.on('data', this.#onData);
          this.#back();
        },
      };
    };

  /** Leaves the terminal to the shell until it comes back. */
  suspend(): void {
    this.#leave();
    process.kill(process.pid, process.listenerCount('SIGTSTP') > 0 ? 'SIGTSTP' : 'SIGSTOP');
  }

  close(): void {
    process.off('exit', this.#leave).off('SIGCONT', this.#back);
    this.#keyboard.keys.off('data', this.#onData).off('end', this.#end).off('close', this.#end);
    this.#keyboard.screen.write(tellNoPastes);
    this.#keyboard.release();
  }

  readonly #leave = (): void => {
    const { keys, screen } = this.#keyboard;
    screen.write(tellNoPastes);
    if (!keys.destroyed) keys.setRawMode(false);
  };

  readonly #back = (): void => {
    const { keys, screen } = this.#keyboard;
    if (keys.destroyed) return;
    keys.setRawMode(true);
    if (this.#isLent) return;
    screen.write(tellPastes);
    keys.resume();
  };

  readonly #end = (): void => this.#onEnd();

  readonly #onData = (data: Buffer | string): void => {
    let text = this.#held + (typeof data === 'string' ? data : this.#decoder.write(data));
    this.#held = '';
    while (text !== '') text = this.#pasted === undefined ? this.#press(text) : this.#paste(text);
  };

  /** Keys until something is pasted. Gives the rest. */
  #press(text: string): string {
    const start = text.indexOf(pasteStart);
    if (start >= 0) {
      this.#pressAll(text.slice(0, start));
      this.#pasted = '';
      return text.slice(start + pasteStart.length);
    }
    const held = partsOfStart.find((part) => text.endsWith(part)) ?? '';
    this.#held = held;
    this.#pressAll(text.slice(0, text.length - held.length));
    return '';
  }

  #tell(key: Key): void {
    if (this.#onKey) this.#onKey(key);
    else if (nameOf(key) === 'ctrl-c') this.interrupt();
    else this.#waiting.push(key);
  }

  /** One after the other: each may change who hears the next. */
  #pressAll(text: string): void {
    if (text !== '') this.#typed.emit('data', Buffer.from(text));
  }

  #paste(text: string): string {
    const all = this.#pasted + text;
    const end = all.indexOf(pasteEnd);
    if (end < 0) {
      this.#pasted = all;
      return '';
    }
    this.#pasted = undefined;
    this.#tell({ isPasted: true, text: toPrintable(all.slice(0, end)) });
    return all.slice(end + pasteEnd.length);
  }
}
