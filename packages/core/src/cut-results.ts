// Results of tools in a conversation, cut so that a request fits what is left for it.

import type { Message } from './message.ts';
import { headBytes } from './text.ts';
import type { Texts } from './texts.ts';
import { tokensOf, usualBytesPerToken } from './tokens.ts';

interface Cutting {
  readonly texts: Texts;
  /** @default the usual */
  readonly bytesPerToken: number | undefined;
}

/** The same conversation with this many tokens less, the longest results cut first; undefined when they do not have as many. */
export function cutResults(
  messages: readonly Message[],
  excess: number,
  { texts, bytesPerToken = usualBytesPerToken }: Cutting,
): readonly Message[] | undefined {
  const sizes = messages.flatMap((message) =>
    message.role === 'tool' ? message.content.map(({ text }) => tokensOf(text, bytesPerToken)) : [],
  );
  const perCut = tokensOf(texts.contextFull(''), bytesPerToken);
  for (let most = Math.max(0, ...sizes) * 0.9; most >= 1; most *= 0.9) {
    const saved = sizes.reduce((sum, size) => sum + Math.max(0, size - most - perCut), 0);
    if (saved >= excess) {
      const isLong = (text: string) => tokensOf(text, bytesPerToken) > most + perCut;
      const cut = (text: string) => texts.contextFull(headBytes(text, Math.floor(most * bytesPerToken)));
      return messages.map((message) => cutMessage(message, isLong, cut));
    }
  }
  return undefined;
}

function cutMessage(message: Message, isLong: (text: string) => boolean, cut: (text: string) => string): Message {
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) => (isLong(part.text) ? { ...part, text: cut(part.text) } : part));
  return { ...message, content };
}
