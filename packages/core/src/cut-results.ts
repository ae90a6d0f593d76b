// Results of tools in a conversation, cut so that a request fits what is left for it.

import type { Message } from './message.ts';
import { headBytes } from './text.ts';
import type { Texts } from './texts.ts';
import { bytesPerToken, tokensOf } from './tokens.ts';

/** The same conversation with this many tokens less, the longest results cut first; undefined when they do not have as many. */
export function cutResults(messages: readonly Message[], excess: number, texts: Texts): readonly Message[] | undefined {
  const sizes = messages.flatMap((message) =>
    message.role === 'tool' ? message.content.map(({ text }) => tokensOf(text)) : [],
  );
  const perCut = tokensOf(texts.contextFull(''));
  for (let most = Math.max(0, ...sizes) * 0.9; most >= 1; most *= 0.9) {
    const saved = sizes.reduce((sum, size) => sum + Math.max(0, size - most - perCut), 0);
    if (saved >= excess) return messages.map((message) => cutMessage(message, most, perCut, texts));
  }
  return undefined;
}

function cutMessage(message: Message, most: number, perCut: number, texts: Texts): Message {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) =>
    tokensOf(part.text) <= most + perCut
      ? part
      : { ...part, text: texts.contextFull(headBytes(part.text, Math.floor(most * bytesPerToken))) },
  );
  return { ...message, content };
}
