// Holds a message against the table of limits, as Slack would: says what Slack would refuse, and where.

import { limits, ours } from '../src/blocks/limits.ts';
import type { SlackMessage } from '../src/blocks/to-messages.ts';

type Fields = { readonly [field in 'type' | 'text' | 'elements' | 'url' | 'indent' | 'offset']?: unknown };

export function findRefusals({ text, blocks }: SlackMessage): readonly string[] {
  const refusals: string[] = [];
  const refuse = (isRefused: boolean, why: string) => isRefused && refusals.push(why);
  refuse(text.trim() === '' || text.length > ours.messageText, `text of ${text.length}`);
  refuse(blocks.length === 0 || blocks.length > limits.message.blocks, `${blocks.length} blocks`);
  refuse(blocks.filter(({ type }) => type === 'table').length > 1, 'a second table');
  refuse(lengthOf(blocks) > ours.messageWeight, `${lengthOf(blocks)} characters in all`);
  for (const block of blocks) {
    refuse(!allowed.includes(block.type), block.type);
    if (block.type === 'header') refuse(block.text.text.length > limits.header.text, 'header');
    if (block.type === 'rich_text')
      refuse(wordsOf(block).length > ours.richText, `rich text of ${wordsOf(block).length}`);
    if (block.type === 'table') {
      refuse(block.rows.length > limits.table.rows, `${block.rows.length} rows`);
      refuse(new Set(block.rows.map((row) => row.length)).size !== 1, 'uneven rows');
      refuse((block.rows[0]?.length ?? 0) > limits.table.columns, 'columns');
      refuse(lengthOf(block.rows) > limits.table.characters, 'cells');
    }
    walk(block, (part) => refusals.push(...findWrong(part)));
  }
  return refusals;
}

/** What is wrong with one object, wherever it stands. */
function findWrong({ type, text, elements, url, indent, offset }: Fields): readonly string[] {
  const wrong: readonly (readonly [boolean, string])[] = [
    [text === '', 'empty text'],
    [Array.isArray(elements) && elements.length === 0, 'no elements'],
    [url !== undefined && !(/^(?:https?|mailto):/.test(String(url)) && String(url).length <= limits.url), 'url'],
    [indent !== undefined && Number(indent) > limits.list.indent, 'indent'],
    [offset !== undefined && Number(offset) < 1, 'offset'],
    [/^(?:user|usergroup|broadcast|channel|team|image|mrkdwn)$/.test(String(type)), String(type)],
  ];
  return wrong.filter(([isWrong]) => isWrong).map(([, why]) => why);
}

const allowed = ['header', 'rich_text', 'divider', 'table', 'context', 'actions'];

/** All that is said, in its order, with a space between parts. */
export function wordsOf(part: unknown, between = ''): string {
  const words: string[] = [];
  walk(part, ({ text }) => typeof text === 'string' && words.push(text));
  return words.join(between);
}

function lengthOf(part: unknown): number {
  let length = 0;
  walk(part, ({ text, url }) => {
    for (const words of [text, url]) if (typeof words === 'string') length += words.length;
  });
  return length;
}

function walk(part: unknown, visit: (part: Fields) => void): void {
  if (Array.isArray(part)) for (const inner of part) walk(inner, visit);
  else if (typeof part === 'object' && part !== null) {
    visit(part as Fields);
    for (const inner of Object.values(part)) walk(inner, visit);
  }
}
