// What a token of a model is, taken from whoever can count them: once, when a session opens, and then recorded as a number.

import type { Model } from './model.ts';
import { utf8Bytes } from './text.ts';

export interface Measured {
  /** How many tokens the prompt is. */
  readonly promptTokens: number;
  /** By the prompt, when it is long enough to tell, and by a usual text: whichever makes more tokens of a text. */
  readonly bytesPerToken: number;
}

type Count = NonNullable<Model['countTokens']>;

// Only remembers what was counted last: thousands of sessions have the same prompt and the same model.
const counted = new WeakMap<Count, { readonly prompt: string; readonly measured: Measured | undefined }>();

/** Undefined when what it counts cannot be: then the usual estimate has to do. */
export function measureTokens(count: Count, prompt: string): Measured | undefined {
  const known = counted.get(count);
  if (known?.prompt === prompt) return known.measured;
  const measured = measure(count, prompt);
  counted.set(count, { prompt, measured });
  return measured;
}

function measure(count: Count, prompt: string): Measured | undefined {
  const promptTokens = prompt === '' ? 0 : tokensIn(count, prompt);
  const usual = bytesPerToken(usualText, tokensIn(count, usualText));
  if (promptTokens === undefined || usual === undefined) return undefined;
  const bytes = utf8Bytes(prompt);
  const own = bytes < tellingBytes ? usual : bytes / promptTokens;
  return { promptTokens: Math.ceil(promptTokens), bytesPerToken: Math.min(own, usual) };
}

function bytesPerToken(text: string, tokens: number | undefined): number | undefined {
  return tokens === undefined ? undefined : utf8Bytes(text) / tokens;
}

/** Shorter texts say little of what is to come. */
const tellingBytes = 2_000;

/** Counting takes time, and some texts much: of a long one, this many pieces of this length stand for all of it. */
const pieces = 16;
const pieceLength = 1_024;

function tokensIn(count: Count, text: string): number | undefined {
  if (text.length <= pieces * pieceLength) return read(count, text);
  const step = (text.length - pieceLength) / (pieces - 1);
  let [tokens, bytes] = [0, 0];
  for (let i = 0; i < pieces; i++) {
    const from = Math.floor(i * step);
    const piece = text.slice(from, from + pieceLength);
    tokens += read(count, piece) ?? Number.NaN;
    bytes += utf8Bytes(piece);
  }
  return Number.isNaN(tokens) ? undefined : Math.ceil((tokens * utf8Bytes(text)) / bytes);
}

function read(count: Count, text: string): number | undefined {
  try {
    const tokens: unknown = count(text);
    return typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
  } catch {
    return undefined;
  }
}

/** A bit of all that conversations are made of: prose, markup, data and code. */
const usualText = `## What was found

The service answered 4 of 12 requests between 09:15 and 10:40 UTC; the others ended with "connection reset by peer".
Two hosts (db-03.example.net, 10.20.0.17) had been restarted shortly before. See https://example.net/status?id=48151623.

| host | requests | errors | p95 (ms) |
| --- | ---: | ---: | ---: |
| web-01 | 18,204 | 12 | 143.7 |
| web-02 | 17,991 | 3,418 | 2210.4 |

{"id":"7f3c9a52-1b0e","items":[{"sku":"A-1009","qty":3,"price":12.95},{"sku":"B-77","qty":1,"price":null}],"isPaid":false}

\`\`\`ts
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? undefined : sorted[Math.floor(sorted.length / 2)];
}
\`\`\`

Η υπηρεσία δεν απαντούσε για ογδόντα πέντε λεπτά. Der Neustart war geplant, die Überlastung nicht. 再起動は予定どおりでした。
`;
