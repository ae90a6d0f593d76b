// Reasoning in blocks that a model wants back as they were: text, summaries, and what nobody but the model can read.

import { isObject } from '@ai-agent/core';
import { textIn } from './chat-fields.ts';

export type Detail = Readonly<Record<string, unknown>>;

export function detailsIn(fields: Readonly<Record<string, unknown>>): readonly Detail[] {
  const { reasoning_details: details } = fields;
  return Array.isArray(details) ? details.filter(isObject) : [];
}

/** What of them can be read. */
export function textOfDetails(details: readonly Detail[]): string {
  return details.map((detail) => textIn(detail, wordsOf[detail.type as keyof typeof wordsOf] ?? '')).join('');
}

const wordsOf = { 'reasoning.text': 'text', 'reasoning.summary': 'summary' } as const;

/** Adds a streamed piece. Pieces of one block have its index; a block that is signed is complete. */
export function addDetail(blocks: Detail[], piece: Detail): void {
  const words = wordsOf[piece.type as keyof typeof wordsOf];
  const at = words === undefined ? -1 : blocks.findLastIndex((block) => isSame(block, piece));
  const block = blocks[at];
  if (words === undefined || !block || (block.signature && textIn(piece, words) !== '')) {
    blocks.push(piece);
    return;
  }
  const said = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined);
  const hasWords = typeof block[words] === 'string' || typeof piece[words] === 'string';
  blocks[at] = {
    ...block,
    ...Object.fromEntries(said),
    ...(hasWords ? { [words]: textIn(block, words) + textIn(piece, words) } : {}),
  };
}

function isSame(block: Detail, piece: Detail): boolean {
  const isOther = (key: string) => block[key] != null && piece[key] != null && block[key] !== piece[key];
  return block.type === piece.type && !isOther('index') && !isOther('id');
}
