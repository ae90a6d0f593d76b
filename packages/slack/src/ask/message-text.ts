// What a message says, wherever it stands in it: its text, its blocks, its attachments.

import { isObject } from '@ai-agent/core';
import { textOfAttachments, textOfBlocks } from './block-text.ts';
import { type LabelOf, mentionedIn, toReadable, withoutMention } from './readable.ts';

/** What Slack gives of a message; nothing of it is trusted to be there. */
export type Said = Readonly<Record<string, unknown>>;

/** Programs put into `text` what notifications show, and the rest elsewhere. Blocks of a person say their text once more. */
export function textOfMessage(message: Said, labelOf: LabelOf): string {
  const text = typeof message.text === 'string' ? toReadable(message.text, labelOf).trim() : '';
  const { blocks, attachments } = partsToRead(message);
  const inBlocks = textOfBlocks(blocks, labelOf).trim();
  const attached = textOfAttachments(attachments, labelOf).trim();
  const words = inBlocks.length > text.length ? inBlocks : text;
  return [words, attached === words ? '' : attached].filter((part) => part !== '').join('\n');
}

/** Whose names it takes to read it. */
export function mentionedInMessage(message: Said): readonly string[] {
  const { blocks, attachments } = partsToRead(message);
  const parts = JSON.stringify([blocks, attachments]);
  const inParts = [...parts.matchAll(/<@([A-Z0-9]+)[|>]|"user_id":"([A-Z0-9]+)"/g)];
  return [
    ...(typeof message.text === 'string' ? mentionedIn(message.text) : []),
    ...inParts.map(([, tagged, listed = '']) => tagged ?? listed),
  ];
}

/** The same without a name: whom it was said to is no part of what was said. */
export function withoutName(message: Said, user: string): Said {
  const { text, blocks, attachments } = message;
  const of = (part: unknown) => dropName(part, user);
  return { ...message, text: of(text), blocks: of(blocks), attachments: of(attachments) };
}

function dropName(part: unknown, user: string): unknown {
  if (typeof part === 'string') return withoutMention(part, user);
  if (Array.isArray(part)) return part.filter((one) => !isNameOf(one, user)).map((one) => dropName(one, user));
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, dropName(inner, user)]));
}

function isNameOf(part: unknown, user: string): boolean {
  return isObject(part) && part.type === 'user' && part.user_id === user;
}

interface Parts {
  readonly blocks: unknown;
  readonly attachments: unknown;
}

/** What stands beside the words of a person may be a preview, or of an app: what they hand on is theirs. */
function partsToRead({ text, blocks = [], attachments = [], ...message }: Said): Parts {
  const isOfBot = message.bot_id !== undefined || message.subtype === 'bot_message';
  const hasWords = typeof text === 'string' && text.trim() !== '';
  if (isOfBot || !hasWords) return { blocks, attachments };
  const all: readonly unknown[] = Array.isArray(attachments) ? attachments : [];
  return { blocks: [], attachments: all.filter((one) => isObject(one) && one.is_share === true) };
}
