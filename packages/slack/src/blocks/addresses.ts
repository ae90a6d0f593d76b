// What people take for an address, whatever a program takes it for: words as they are read, and which host they name.

/** Signs that look alike are one sign, and what is not seen is not there. */
export function asRead(text: string): string {
  return withDots(asReadBetween(text));
}

/** The same, but stops that end sentences are still themselves: what they part is known only when both sides of them are. */
export function asReadBetween(text: string): string {
  return text
    .replace(narrow, '')
    .replace(/\uff0e/g, stop)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u200c|\u200d|\ufe0e|\ufe0f/g, '')
    .replace(/[\\\u2044\u2215\u2571\u29f5\u29f8\u29f9\u2216\u3033\u30ce\u4e3f]/g, '/')
    .replace(dots, '.');
}

/** Spaces that are hardly seen: as wide ones they would part what is read as one word. */
const narrow = /[\u2000-\u200a\u202f\u205f]/g;
/** The two zeros are such dots where they stand in no number. */
const dots =
  /[\u2024\u0701\u0702\u06d4\ua4f8\ua60e\u00b7\u2027\u2219\u22c5\u{10a50}\u{1d16d}]|(?<![\u0660-\u0669\u06f0-\u06f9])[\u0660\u06f0](?![\u0660-\u0669\u06f0-\u06f9])/gu;

/** Beside letters that are written without spaces a stop is the end of a sentence. */
export function endSentences(text: string): string {
  return withDots(text.replace(sentenceEnd, ' '));
}

function withDots(text: string): string {
  return text.replaceAll(stop, '.');
}

const stop = '\u3002';
/** Scripts that put no space between words, or hang the ends of words on names of others. */
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]`;
const sentenceEnd = new RegExp(`(?<=${unspaced})${stop}|${stop}(?=${unspaced})`, 'gu');
/** Where a word in such a script ends and an address begins, and the other way round. */
export const scriptBorder = new RegExp(`(?<=${unspaced})(?=[a-z0-9])|(?<=[a-z0-9])(?=${unspaced})`, 'u');

/** A word, looked at as an address. */
export interface Look {
  /** Undefined where there is more than one. */
  readonly authority: string | undefined;
  readonly isAddress: boolean;
}

export function lookAt(word: string): Look {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*:\/*)?(.*)$/s.exec(word) ?? [];
  const isScheme = scheme !== undefined && /^(?:https?|ftp|mailto|file):|\/\/$/.test(scheme);
  const [, written = '', path = ''] = /^([^/?#]*)(.*)$/s.exec(isScheme ? rest : word) ?? [];
  if (path.includes('://')) return { authority: undefined, isAddress: true };
  const authority = written.replace(/(?<![.:!…])[.:!…]+$/, '');
  return { authority, isAddress: isScheme || looksLikeHost(authority) };
}

/** Whether it names this host, another one, or none. */
export function compareHost({ authority, isAddress }: Look, real: string): 'same' | 'other' | 'none' {
  if (authority === real || authority === `www.${real}` || `www.${authority}` === real) return 'same';
  return isAddress ? 'other' : 'none';
}

/** Anywhere in it: who reads does not see where a word would end for a program. */
function looksLikeHost(authority: string): boolean {
  return /[\p{L}\p{M}\p{N}]\.[\p{L}\p{M}-]{2,}|\d\.\d+\.\d+\.\d|^[\w-]+:\d+$/u.test(authority);
}
