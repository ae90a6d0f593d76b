// Results of tools in a conversation, cut so that a request fits what is left for it.

import type { Message, ToolResultPart } from './message.ts';
import { headBytes } from './text.ts';
import type { Texts } from './texts.ts';
import { tokensOf, tokensOfFiles, usualBytesPerToken } from './tokens.ts';

interface Cutting {
  readonly texts: Texts;
  /** @default the usual */
  readonly bytesPerToken: number | undefined;
}

/**
 * The same conversation with this many tokens less: files go first, the oldest of them, then the longest results are cut.
 * Undefined when they do not have as many.
 */
export function cutResults(
  messages: readonly Message[],
  excess: number,
  cutting: Cutting,
): readonly Message[] | undefined {
  const { left, missing } = dropFiles(messages, excess, cutting.texts);
  return missing <= 0 ? left : cutTexts(left, missing, cutting);
}

/** Without its files, and with a word on that. */
export function withoutFiles<R extends Pick<ToolResultPart, 'text' | 'files'>>(result: R, texts: Texts): R {
  const { files: _files, ...rest } = result;
  return { ...rest, text: texts.contextFull(result.text) } as R;
}

function dropFiles(messages: readonly Message[], excess: number, texts: Texts) {
  let missing = excess;
  const drop = (part: ToolResultPart) => {
    if (!part.files || missing <= 0) return part;
    missing -= tokensOfFiles(part.files);
    return withoutFiles(part, texts);
  };
  const hasFiles = (message: Message) => message.role === 'tool' && message.content.some(({ files }) => files);
  const left = messages.some(hasFiles)
    ? messages.map((message) =>
        message.role === 'tool' ? { ...message, content: message.content.map(drop) } : message,
      )
    : messages;
  return { left, missing };
}

function cutTexts(
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
