// Text of a model as it may be printed: its line breaks stay, its control sequences do not reach the terminal.

export function toPrintable(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(turning, '');
}

/** Marks that turn the direction of writing: what is read would not be what is there. */
const turning = /[\u202A-\u202E\u2066-\u2069]/g;

/** No sequence that means anything is longer: what goes on and on is not waited for. */
const longestSequence = 4_096;

/** Titles, links and the like, without the end that they have. The other introducers are an escape and a letter in one. */
const title = `(?:\u001b[\\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009b-\u009f]{0,${longestSequence}}`;
const endOfTitle = '(?:\u0007|\u009c|\u001b\\\\)';

/** A colour or a movement ends with a letter. */
const movement = '(?:\u001b\\[|\u009b)[0-?]*[ -/]*';
const short = '\u001b(?![[\\]PX^_])[ -/]*';

// None of them looks further than to the next introducer, so that a text full of beginnings takes no time.
const whole = `${title}${endOfTitle}|${movement}[@-~]|${short}[0-~]`;
const sequences = new RegExp(whole, 'g');
const orOpen = new RegExp(`${whole}|(?<open>(?:${title}\u001b?|${movement}|${short})$)`, 'g');

/** The same for text that comes in pieces: the beginning of a sequence waits for its end. */
export class PrintableStream {
  #held = '';

  push(text: string): string {
    const all = this.#held + text;
    const from = openSequence(all);
    this.#held = all.slice(from);
    return toPrintable(all.slice(0, from));
  }

  end(): string {
    const rest = toPrintable(this.#held);
    this.#held = '';
    return rest;
  }
}

/** Where something begins that may not have ended; the end of the text when there is nothing. */
function openSequence(text: string): number {
  for (const { index, groups } of text.matchAll(orOpen))
    if (groups?.open !== undefined && text.length - index <= longestSequence) return index;
  // A line break, or a letter, of which the other half is still to come.
  return /[\r\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
