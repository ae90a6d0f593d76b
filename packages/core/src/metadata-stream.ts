// A text of an agent with plugins on its way to whoever listens: nothing of its metadata is shown, in any spelling that is read as such.

import { findBlock, takeBlocks } from './metadata-blocks.ts';

export class MetadataStream {
  /** What may be metadata, and from the first that is, everything. */
  #held: string[] = [];
  #isHolding = false;
  /** Whether words were given: then blanks in front of the rest are not the first ones. */
  #isSaid = false;

  /** As much as can be given out now. */
  push(text: string): string {
    if (this.#isHolding || text === '') {
      this.#held.push(text);
      return '';
    }
    const all = this.#held.join('') + text;
    const found = all.includes('<') ? findBlock(all) : undefined;
    const half = found ?? halfTagIn(all);
    this.#isHolding = found !== undefined || all.length - half > longestTag;
    const from = beforeFence(all, half);
    this.#held = [all.slice(from)];
    return this.#give(all.slice(0, from));
  }

  /** The rest, without metadata. */
  end(): string {
    const rest = this.#held.join('');
    this.#held = [];
    // Blanks between what was given and the rest are not at an end of the text.
    const mark = this.#isSaid ? '.' : '';
    return takeBlocks(mark + rest).text.slice(mark.length);
  }

  #give(text: string): string {
    this.#isSaid ||= text.trim() !== '';
    return text;
  }
}

/** A tag that is longer is waited for until the end: to look at it with every piece would cost too much. */
const longestTag = 400;
const heads = ['<ai-agent-', '</ai-agent-'];

/** Where the beginning of a tag stands that is not whole yet; else the end. */
function halfTagIn(text: string): number {
  const at = text.lastIndexOf('<');
  if (at < 0 || text.includes('>', at)) return text.length;
  const begun = text.slice(at, at + 11).toLowerCase();
  return heads.some((head) => head.startsWith(begun) || begun.startsWith(head)) ? at : text.length;
}

/** Blanks and the opening of a fence go with the block behind them. */
function beforeFence(text: string, end: number): number {
  const blanks = beforeBlanks(text, end);
  let word = blanks;
  while (word > 0 && blanks - word < longestWord && /\w/.test(text[word - 1] as string)) word--;
  let ticks = word;
  while (ticks > 0 && word - ticks < longestWord && text[ticks - 1] === '`') ticks--;
  return word - ticks < 3 && (ticks === word || word < blanks) ? blanks : beforeBlanks(text, ticks);
}

const longestWord = 20;
const mostBlanks = 400;

function beforeBlanks(text: string, end: number): number {
  let at = end;
  while (at > 0 && end - at < mostBlanks && /\s/.test(text[at - 1] as string)) at--;
  return at;
}
