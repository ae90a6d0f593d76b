// An answer in Markdown as the messages that Slack is sent: safe, inside its limits, and the whole of it where that is possible.

import type { types } from '@slack/bolt';
import { limits, ours } from './limits.ts';
import { parseMarkdown } from './markdown.ts';
import { packBlocks, type Weighed, weighStrings } from './pack-blocks.ts';
import { toFallback } from './plain-text.ts';
import { toAtoms } from './render.ts';

type KnownBlock = types.KnownBlock;

export interface SlackMessage {
  /** For notifications, and where blocks are not drawn. */
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

export interface MessagesOptions {
  /** What stands at the end of the last message: a footer, buttons; at most five blocks, of which later ones are left out. @default nothing */
  readonly tail?: readonly KnownBlock[];
  /** How many messages there are at most. @default 10 */
  readonly most?: number;
}

export interface Messages {
  /** One at least. */
  readonly messages: readonly SlackMessage[];
  /** Not everything is in them, and the last one says that a file has the whole: whoever sends them uploads it. */
  readonly isCut: boolean;
}

export function toMessages(markdown: string, options: MessagesOptions = {}): Messages {
  const most = Math.max(1, options.most ?? ours.messages);
  const tail = (options.tail ?? []).slice(0, ours.tailBlocks).map(weighTail);
  const source = markdown.slice(0, ours.source);
  const packed = packMessages(packBlocks(gatherAtoms(source)), most);
  const isShort = source.length < markdown.length && markdown.slice(source.length).trim() !== '';
  const isCut = packed.isCut || isShort || !canTake(packed.drafts, tail, most);
  const drafts = isCut ? endCut(packed.drafts, [notice, ...tail]) : endWhole(packed.drafts, tail);
  const ends: ReadonlySet<Weighed> = new Set([notice, ...tail]);
  return { messages: drafts.map(({ blocks }) => toMessage(blocks, ends)), isCut };
}

function* gatherAtoms(source: string) {
  for (const parsed of parseMarkdown(source)) yield* toAtoms(parsed);
}

/** Buttons carry what is not shown, and a message is refused for it all the same; but the words of an answer come first. A call that is to be allowed is such words. */
function weighTail(block: KnownBlock): Weighed {
  const most = block.type === 'rich_text' ? ours.richTextWeight : ours.tailWeight / ours.tailBlocks;
  return { block, weight: ours.blockWeight + Math.min(weighStrings(block), most) };
}

/** Blocks of a message that is being filled. */
class Draft {
  readonly blocks: Weighed[] = [];

  fits(more: readonly Weighed[]): boolean {
    const all = [...this.blocks, ...more];
    const tables = all.filter(({ block }) => block.type === 'table').length;
    const weight = all.reduce((sum, block) => sum + block.weight, 0);
    return all.length <= limits.message.blocks && tables <= limits.message.tables && weight <= ours.messageWeight;
  }
}

/** Stops as soon as there is one message too many: what comes after it is not even parsed. */
function packMessages(blocks: Iterable<Weighed>, most: number): { readonly drafts: Draft[]; readonly isCut: boolean } {
  const drafts = [new Draft()];
  for (const block of blocks) {
    const last = drafts.at(-1) as Draft;
    if (last.fits([block])) {
      last.blocks.push(block);
      continue;
    }
    if (drafts.length === most) return { drafts, isCut: true };
    const next = new Draft();
    // A header goes with what it stands over.
    while (last.blocks.length > 1 && last.blocks.at(-1)?.block.type === 'header')
      next.blocks.unshift(last.blocks.pop() as Weighed);
    if (!next.fits([block])) last.blocks.push(...next.blocks.splice(0));
    next.blocks.push(block);
    drafts.push(next);
  }
  const [first] = drafts;
  if (first?.blocks.length === 0) first.blocks.push(nothing);
  return { drafts, isCut: false };
}

const nothing = toContext('The answer is empty.');
const notice = toContext('This is the beginning of the answer: the whole of it is in the file.');

function toContext(text: string): Weighed {
  const block: KnownBlock = { type: 'context', elements: [{ type: 'plain_text', text, emoji: false }] };
  return { block, weight: ours.blockWeight + text.length };
}

function canTake(drafts: readonly Draft[], tail: readonly Weighed[], most: number): boolean {
  return drafts.length < most || (drafts.at(-1)?.fits(tail) ?? false);
}

/** Where there is no room for the end it begins a message, with the last block of the answer, so that it does not stand alone. */
function endWhole(drafts: Draft[], tail: readonly Weighed[]): readonly Draft[] {
  const last = drafts.at(-1) as Draft;
  if (last.fits(tail)) {
    last.blocks.push(...tail);
    return drafts;
  }
  const end = new Draft();
  const moved = last.blocks.at(-1);
  if (last.blocks.length > 1 && moved !== undefined && new Draft().fits([moved, ...tail]))
    end.blocks.push(...last.blocks.splice(-1));
  end.blocks.push(...tail);
  return [...drafts, end];
}

function endCut(drafts: Draft[], tail: readonly Weighed[]): readonly Draft[] {
  const last = drafts.at(-1) as Draft;
  while (last.blocks.length > 0 && !last.fits(tail)) last.blocks.pop();
  last.blocks.push(...tail);
  return drafts;
}

/** In words it is the answer alone: who is notified of it reads no footer. */
function toMessage(all: readonly Weighed[], ends: ReadonlySet<Weighed>): SlackMessage {
  const answer = all.filter((one) => !ends.has(one)).map(({ block }) => block);
  return { blocks: all.map(({ block }) => block), text: toFallback(answer) ?? '…' };
}
