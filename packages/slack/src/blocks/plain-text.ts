// What blocks say, in plain words: for notifications, and for clients that draw no blocks.

import type { types } from '@slack/bolt';
import { ours } from './limits.ts';
import { escapeMrkdwn, wholeCharacters } from './safe-text.ts';

/** Escaped, and inside the limit whatever it is; undefined when there are no words. */
export function toFallback(blocks: readonly types.KnownBlock[]): string | undefined {
  const lines: string[] = [];
  for (let i = 0, length = 0; i < blocks.length && length < ours.messageText; i++) {
    const words = toLines(blocks[i]).trim();
    if (words !== '') lines.push(words);
    length += words.length;
  }
  const text = lines.join('\n').slice(0, ours.messageText);
  return text.trim() === '' ? undefined : cutEscaped(escapeMrkdwn(text));
}

function cutEscaped(text: string): string {
  if (text.length <= ours.messageText) return text;
  const head = text.slice(0, wholeCharacters(text, ours.messageText - 1));
  return `${head.replace(/&[a-z]*$/, '')}…`;
}

/** As deep as blocks go, which is not deep. */
function toLines(part: unknown): string {
  if (Array.isArray(part)) return part.map(toLines).join('');
  if (typeof part !== 'object' || part === null) return '';
  const { type, text, elements, rows } = part as Readonly<Record<string, unknown>>;
  if (type === 'actions') return '';
  if (Array.isArray(rows))
    return rows.map((row) => (row as unknown[]).map((cell) => toLines(cell).trim()).join(' | ')).join('\n');
  if (type === 'rich_text_list')
    return `${(elements as unknown[]).map((item) => `• ${toLines(item).trim()}`).join('\n')}\n`;
  const words = typeof text === 'string' ? text : toLines(text ?? elements);
  return typeof type === 'string' && /^rich_text_|^context$/.test(type) ? `${words}\n` : words;
}
