// A key that was pressed, or text that was pasted; and what it does to a text.

import type { EditedText } from './edited-text.ts';

export interface Key {
  /** As Node calls it: `return`, `up`, `a`. Missing for letters of other alphabets. */
  readonly name?: string | undefined;
  /** What it writes. @default nothing */
  readonly text?: string | undefined;
  /** What the terminal sent. */
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
  /** Whether it is text that was put in whole. @default false */
  readonly isPasted?: boolean;
}

/** How a key is written here: `ctrl-a`, `meta-b`, `up`. */
export function nameOf({ name = '', ctrl = false, meta = false, sequence = '' }: Key): string {
  if (shiftedReturns.has(sequence)) return 'meta-return';
  return `${ctrl ? 'ctrl-' : ''}${meta ? 'meta-' : ''}${name}`;
}

/** Terminals that tell more say Shift, or Ctrl, with Enter so. */
const shiftedReturns = new Set(['13;2u', '13;5u', '27;2;13~', '27;5;13~'].map((code) => `\u001b[${code}`));

const edits: Readonly<Record<string, (text: EditedText) => void>> = {
  left: (text) => text.toLeft(),
  'ctrl-b': (text) => text.toLeft(),
  right: (text) => text.toRight(),
  'ctrl-f': (text) => text.toRight(),
  home: (text) => text.toLineStart(),
  'ctrl-a': (text) => text.toLineStart(),
  end: (text) => text.toLineEnd(),
  'ctrl-e': (text) => text.toLineEnd(),
  'ctrl-left': (text) => text.toWordLeft(),
  'meta-left': (text) => text.toWordLeft(),
  'meta-b': (text) => text.toWordLeft(),
  'ctrl-right': (text) => text.toWordRight(),
  'meta-right': (text) => text.toWordRight(),
  'meta-f': (text) => text.toWordRight(),
  backspace: (text) => text.deleteBack(),
  'ctrl-h': (text) => text.deleteBack(),
  delete: (text) => text.deleteNext(),
  'ctrl-w': (text) => text.deleteWord(),
  'meta-backspace': (text) => text.deleteWord(),
  'ctrl-backspace': (text) => text.deleteWord(),
  'meta-d': (text) => text.deleteWordNext(),
  'meta-delete': (text) => text.deleteWordNext(),
  'ctrl-u': (text) => text.deleteToStart(),
  'ctrl-k': (text) => text.deleteToEnd(),
  'ctrl-y': (text) => text.putBack(),
  // Ctrl-J, and Alt with Enter.
  enter: (text) => text.insert('\n'),
  'meta-return': (text) => text.insert('\n'),
  'meta-enter': (text) => text.insert('\n'),
};

/** Whether it does anything. */
export function editWith(key: Key, text: EditedText): boolean {
  const edit = key.isPasted ? undefined : edits[nameOf(key)];
  if (edit) {
    edit(text);
    return true;
  }
  const typed = key.isPasted ? key.text : key.ctrl || key.meta ? undefined : key.text;
  if (typed === undefined || typed === '') return false;
  if (!key.isPasted && /^\p{Cc}/u.test(typed)) return false;
  text.insert(typed);
  return true;
}
