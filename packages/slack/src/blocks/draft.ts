// What is being written, as an edit shows it: its end, whatever is still open there.

import type { types } from '@slack/bolt';
import { followFence } from './fence.ts';
import { ours } from './limits.ts';
import { parseMarkdown } from './markdown.ts';
import { packBlocks } from './pack-blocks.ts';
import { toAtoms } from './render.ts';
import { wholeCharacters } from './safe-text.ts';

/** Only `rich_text`. Nothing when there are no words yet. */
export function toDraftBlocks(markdown: string): readonly types.KnownBlock[] {
  const from = findBeginning(markdown);
  const end = markdown.slice(from);
  if (end.trim() === '') return [];
  const blocks = pack(from === 0 ? end : openAgain(markdown, from) + end, from > 0);
  const weight = blocks.reduce((sum, block) => sum + block.weight, 0);
  // Much form and few words: Slack would refuse it.
  const isHeavy = weight > ours.messageWeight / 2;
  return (isHeavy ? [...packBlocks([...ellipsis(from > 0), ...toAtoms({ source: end })])] : blocks).map(
    ({ block }) => block,
  );
}

/** A line where one begins soon after; else the next whole character. */
function findBeginning(markdown: string): number {
  const from = markdown.length - ours.draft;
  if (from <= 0) return 0;
  const line = markdown.indexOf('\n', from - 1) + 1;
  if (line > 0 && line - from <= ours.draft / 2) return line;
  return wholeCharacters(markdown, from) === from ? from : from + 1;
}

/** The fence that the end stands in was cut off with the rest. Looks back so far and no further, for it is asked often. */
function openAgain(markdown: string, from: number): string {
  let fence = '';
  for (const line of markdown.slice(Math.max(0, from - ours.source), from).split('\n'))
    fence = followFence(line, fence);
  return fence === '' ? '' : `${fence}\n`;
}

function pack(source: string, isCut: boolean) {
  const atoms = [...parseMarkdown(source)].flatMap((parsed) => [...toAtoms(parsed, true)]);
  return [...packBlocks([...ellipsis(isCut), ...atoms])];
}

function ellipsis(isCut: boolean) {
  return isCut ? toAtoms({ source: '…' }) : [];
}
