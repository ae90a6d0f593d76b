// What is shown of a long text: a range of it, or the places of a word.

import { characterAt, head, headBytes } from './text.ts';
import { fail, type ToolOutput } from './tool.ts';

export interface Range {
  readonly from: number;
  readonly length?: number | undefined;
}

/** The note about the range stays within the bound too. */
const noteBytes = 160;

/** In whole characters: one that is touched is shown. */
export function showRange(text: string, { from, length = text.length }: Range, maxBytes: number): ToolOutput {
  if (from >= text.length) return fail(`It has ${text.length} characters; there is nothing from ${from} on.`);
  const start = characterAt(text, from);
  const isSplit = characterAt(text, from + length) !== from + length;
  const part = headBytes(text.slice(start, from + length + (isSplit ? 1 : 0)), maxBytes - noteBytes);
  const end = start + part.length;
  const rest = end < text.length ? `read on from ${end}` : 'this is the end';
  return `${part}\n\n[Characters ${start} to ${end} of ${text.length}; ${rest}.]`;
}

/** Every place where a text is found, with what is around it. */
export function showPlaces(text: string, search: string, maxBytes: number): ToolOutput {
  const room = maxBytes - noteBytes;
  const pattern = new RegExp(search.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
  let [count, shownUntil, report, isCut] = [0, 0, '', false];
  for (const { index } of text.matchAll(pattern)) {
    count++;
    if (index < shownUntil || isCut) continue;
    const { excerpt, end } = around(text, index, room);
    shownUntil = end;
    isCut = report.length + excerpt.length > room;
    report += `[character ${index}] ${excerpt}\n`;
  }
  if (count === 0) return `"${head(search, 60)}" is not in it.`;
  const shown = headBytes(report, room);
  const cut = shown.length < report.length ? '; not all fit here, look for something rarer' : '';
  return `${shown}\n[${count === 1 ? '1 place' : `${count} places`}${cut}.]`;
}

/** A line may be the whole text: only what is near the match is shown. */
function around(text: string, at: number, room: number) {
  const before = text.slice(Math.max(0, at - Math.min(200, Math.floor(room / 8))), at);
  const after = text.slice(at, at + Math.min(300, Math.floor(room / 4)));
  const start = characterAt(text, at - before.length + before.lastIndexOf('\n') + 1);
  const line = after.indexOf('\n');
  const end = characterAt(text, line < 0 ? at + after.length : at + line);
  const isStart = start === 0 || text[start - 1] === '\n';
  const isEnd = end === text.length || text[end] === '\n';
  return { excerpt: `${isStart ? '' : '…'}${text.slice(start, end)}${isEnd ? '' : '…'}`, end };
}
