// How much work a Markdown text would be for the parser, which takes a crooked one very long: no text that somebody reads is much.

import { followFence } from './fence.ts';

/** About a quarter of a second. */
export const mostWork = 6_000_000;

/** What may be code counts so much of what it would count elsewhere. */
const inCode = 1 / 3;

/** Containers that are opened one in the other; how often they turn; what stands in a paragraph. */
export function estimateWork(source: string): number {
  if (/^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){12}/m.test(source)) return Number.POSITIVE_INFINITY;
  if (/^[ \t>]{80}[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/m.test(source)) return Number.POSITIVE_INFINITY;
  const lines = withoutCode(source.split('\n'));
  return workOfTurns(lines) + workOfParagraphs(lines);
}

/** Code is no work; but where one thinks that code is, a hostile text may have none: after HTML, or where a fence ends with its quote. */
function withoutCode(lines: readonly string[]): readonly string[] {
  if (lines.some((line) => /^ {0,3}<|^[ \t>*+\d.)-]+(?:`{3}|~{3})/.test(line))) return lines;
  let fence = '';
  return lines.filter((line) => {
    const isOutside = fence === '';
    fence = followFence(line, fence);
    return isOutside;
  });
}

/** Where a quote or a list ends and another begins, and where a line makes a heading of the one above, all that was read before is copied. */
function workOfTurns(lines: readonly string[]): number {
  let [turns, last, fence, isAfterEmpty] = [0, '', '', true];
  for (const line of lines) {
    const isEmpty = line.trim() === '';
    const marks = marksOf(line);
    const isUnderline = !isAfterEmpty && /^[ \t>]*(?:=+|-+)[ \t]*$/.test(line);
    turns += (countTurns(last, marks) + Number(isUnderline)) * (fence === '' ? 1 : inCode);
    fence = followFence(line, fence);
    // An empty line ends a quote, and a line at the edge after it ends a list.
    const isOver = isEmpty ? last.includes('>') : isAfterEmpty && /^ ?\S/.test(line);
    if (marks !== '' || isOver) last = marks;
    isAfterEmpty = isEmpty;
  }
  return 2 * turns * lines.length;
}

function countTurns(last: string, marks: string): number {
  return marks === '' || marks === last ? 0 : Math.max(1, count(marks, />/g) - count(last, />/g));
}

/** What opens containers at the beginning of a line, and how far inside they are. */
function marksOf(line: string): string {
  const [marks = ''] = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]]{1,999}\]:)*/.exec(line) ?? [];
  return marks.trimEnd().replace(/\d+/g, '1');
}

/** Marks are matched each with each other, for a run of ticks its like is looked for, and each word after an open bracket looks back to it. */
function workOfParagraphs(lines: readonly string[]): number {
  let [work, fence, isList, isAfterEmpty] = [0, '', false, true];
  let paragraph = new Paragraph();
  for (const line of lines) {
    paragraph.take(line, fence === '' ? 1 : inCode);
    fence = followFence(line, fence);
    const isEmpty = line.trim() === '';
    const [, indent] = /^([ \t]*)[-*+][ \t]+\S/.exec(line) ?? [];
    // Far inside and in no list it is a line as others are.
    const isItem = indent !== undefined && (isList || isAfterEmpty || /^ {0,3}$/.test(indent));
    if (isItem) isList = true;
    else if (isAfterEmpty && /^ ?\S/.test(line)) isList = false;
    isAfterEmpty = isEmpty;
    if (!isEmpty && !isItem) continue;
    work += paragraph.work;
    paragraph = new Paragraph();
  }
  return work + paragraph.work;
}

class Paragraph {
  #marks = 0;
  #length = 0;
  #open = 0;
  #words = 0;
  #mostWords = 0;
  readonly #ticks = new Set<number>();

  take(line: string, weight: number): void {
    this.#marks += count(line, /[*_~[\]]/g) * weight;
    this.#length += line.length;
    for (const [run] of line.matchAll(/`+/g)) this.#ticks.add(run.length);
    this.#takeWords(line, weight);
  }

  get work(): number {
    return this.#marks ** 2 + this.#ticks.size * this.#length + this.#mostWords ** 2 / 2;
  }

  #takeWords(line: string, weight: number): void {
    if (this.#open === 0 && !line.includes('[')) return;
    for (const [sign] of line.matchAll(/[[\]]|[^[\]\s]+/g)) {
      if (sign === '[') this.#open++;
      else if (sign !== ']') this.#words += this.#open > 0 ? weight : 0;
      else if (this.#open > 0 && --this.#open === 0) this.#words = 0;
      this.#mostWords = Math.max(this.#mostWords, this.#words);
    }
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
