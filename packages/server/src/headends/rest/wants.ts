// How a client wants to be answered: the bare answer, everything that is known of the run, or a stream of it.

import type { Format } from '../../read-output.ts';

export interface Wants {
  readonly as: 'answer' | 'document' | 'stream';
  /** What the bare answer is written as. @default as the session's own contract says */
  readonly format?: Format | undefined;
}

/** The whole outcome of a run. */
export const documentType = 'application/vnd.ai-agent+json';

const known: Readonly<Record<string, Wants['as']>> = {
  [documentType]: 'document',
  'text/event-stream': 'stream',
};

/** The kind that `Accept` likes best; of those it likes alike, one that it names, then the first. */
export function wantsOf(headers: Headers, format?: Format): Wants {
  const accept = headers.get('accept');
  if (!accept || accept === '*/*') return { as: 'answer', format };
  const liked = accept.split(',').map(toLiking);
  const best = liked.reduce((one, other) => (other.weight > one.weight ? other : one));
  return { as: best.as, format };
}

interface Liking {
  readonly as: Wants['as'];
  readonly weight: number;
}

function toLiking(range: string): Liking {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  // A star is whatever is left: anything that has a name goes before it.
  return {
    as: weight > 0 ? (known[type] ?? 'answer') : 'answer',
    weight: type.includes('*') ? weight - 0.0001 : weight,
  };
}
