// A conversation in words, for somebody who is no part of it: in parts that fit one request each.

import type { Message } from './message.ts';
import { headBytes } from './text.ts';
import type { Texts } from './texts.ts';
import { tokensOf } from './tokens.ts';

export interface Retelling {
  /** How many tokens a part may be, and how many parts there may be. */
  readonly partTokens: number;
  readonly mostParts: number;
  readonly bytesPerToken: number;
  readonly texts: Pick<Texts, 'contextFull'>;
}

/** What is long is cut until there are few enough parts; should even that not do, only the last of them are told. */
export function retell(messages: readonly Message[], retelling: Retelling): readonly string[] {
  const { partTokens, mostParts } = retelling;
  const said = messages.flatMap(toSaid);
  let parts: readonly string[] = [];
  for (let most = partTokens * 0.9; most >= leastTokens; most *= 0.7) {
    parts = pack(said, most, retelling);
    if (parts.length <= mostParts) break;
  }
  return parts.slice(-mostParts);
}

/** Less than this tells nothing of what was said. */
const leastTokens = 16;

interface Said {
  readonly who: string;
  readonly text: string;
}

function pack(said: readonly Said[], most: number, { partTokens, bytesPerToken, texts }: Retelling): readonly string[] {
  const parts: string[][] = [];
  let left = 0;
  for (const { who, text } of said) {
    const isLong = tokensOf(text, bytesPerToken) > most;
    const told = `[${who}]\n${isLong ? texts.contextFull(headBytes(text, Math.floor(most * bytesPerToken))) : text}`;
    const tokens = tokensOf(told, bytesPerToken) + 1;
    if (parts.length === 0 || tokens > left) {
      parts.push([]);
      left = partTokens;
    }
    parts.at(-1)?.push(told);
    left -= tokens;
  }
  return parts.map((part) => part.join('\n\n'));
}

function toSaid(message: Message): readonly Said[] {
  if (message.role === 'system') return [];
  return message.content.flatMap((part): readonly Said[] => {
    if (part.type === 'reasoning') return [];
    if (part.type === 'file') return [{ who: `${message.role}, a file`, text: `${part.name ?? ''} ${part.mediaType}` }];
    if (part.type === 'tool-call') return [{ who: `assistant calls ${part.name}`, text: part.input }];
    if (part.type === 'tool-result') return [{ who: `result of ${part.name}`, text: part.text }];
    return part.text === '' ? [] : [{ who: message.role, text: part.text }];
  });
}
