// How tokens are counted before anybody has: with the tables of OpenAI's models, or by what is known of others.

import type { TiktokenBPE } from 'js-tiktoken/lite';
import { lazily } from './lazily.ts';

type Count = (text: string) => number;

/** What `tokenizer` of a configuration may be; goes on after "is not". */
export const tokenizerForms = 'approximate, tiktoken:<model>, anthropic, claude…, google… or gemini…';

export function isTokenizer(name: string): boolean {
  return name === 'approximate' || tableOf(name) !== undefined || ratioOf(name) !== undefined;
}

/** Undefined when it is to be estimated as ever. */
export async function openTokenizer(name: string): Promise<Count | undefined> {
  const table = tableOf(name);
  if (table) return tables[table]();
  const ratio = ratioOf(name);
  return ratio === undefined ? undefined : (text) => countBy(text, ratio);
}

type Table = 'o200k_base' | 'cl100k_base';

function tableOf(name: string): Table | undefined {
  const [, model] = /^tiktoken:\s*(\S+)$/.exec(name) ?? [];
  if (model === undefined) return undefined;
  return /^(?:.*\/)?(?:gpt-4(?:-|$)|gpt-3\.5|gpt-35|text-embedding-|cl100k)/.test(model) ? 'cl100k_base' : 'o200k_base';
}

// Two megabytes each: loaded when named, once.
const tables: Readonly<Record<Table, () => Promise<Count>>> = {
  o200k_base: lazily(() => import('js-tiktoken/ranks/o200k_base').then((ranks) => countWith(ranks.default))),
  cl100k_base: lazily(() => import('js-tiktoken/ranks/cl100k_base').then((ranks) => countWith(ranks.default))),
};

async function countWith(ranks: TiktokenBPE): Promise<Count> {
  const { Tiktoken } = await import('js-tiktoken/lite');
  const encoder = new Tiktoken(ranks);
  // What looks like a control token in a text is text.
  return (text) => piecesOf(text).reduce((sum, piece) => sum + encoder.encode(piece, [], []).length, 0);
}

/** Twice as long a word or gap takes it eight times as long: sixteen thousand blanks are twenty seconds. */
function piecesOf(text: string): readonly string[] {
  return text.replace(/\S{128}(?=\S)|\s{64}(?=\s)/g, '$&\0').split('\0');
}

/** Plain characters per token. Their makers give no table to count with. */
const ratios: readonly (readonly [names: RegExp, charactersPerToken: number])[] = [
  // Documented as 3.5 for English; from Claude Opus 4.7 on up to a third more tokens for the same text.
  [/^(?:anthropic|claude)/i, 2.7],
  // Documented as about 4.
  [/^(?:google|gemini)/i, 4],
];

function ratioOf(name: string): number | undefined {
  return ratios.find(([names]) => names.test(name))?.[1];
}

/** Other scripts have about a token for each character. */
function countBy(text: string, charactersPerToken: number): number {
  let [plain, others] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) plain++;
    // The second half of a character was counted with the first.
    else if (unit < 0xdc00 || unit > 0xdfff) others++;
  }
  return Math.ceil(plain / charactersPerToken + others);
}
