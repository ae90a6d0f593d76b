// What was recorded, written for whoever asks: what is for nobody outside is told to nobody, anywhere in it.

import { type Failure, isObject } from '@ai-agent/core';
import { withoutInside } from './failure-status.ts';

/** In one line. */
export function toSafeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('"retryable":') ? JSON.stringify(value, toSafe) : text;
}

/** The same as data: whoever cuts texts cuts them when nothing in them is to be taken out any more. */
export function asSafe<T>(value: T): T {
  const text = JSON.stringify(value);
  return text.includes('"retryable":') ? (JSON.parse(JSON.stringify(value, toSafe)) as T) : value;
}

function toSafe(_key: string, part: unknown): unknown {
  if (isFailure(part)) return withoutInside(part);
  if (!isObject(part) || !isFailure(part.failure)) return part;
  const { message } = part.failure;
  const safe = withoutInside(part.failure).message;
  // What a model was told of it stands beside it.
  const mend = (word: unknown) => (typeof word === 'string' ? word.replaceAll(message, () => safe) : word);
  return message === safe ? part : Object.fromEntries(Object.entries(part).map(([name, word]) => [name, mend(word)]));
}

function isFailure(value: unknown): value is Failure {
  if (!isObject(value)) return false;
  const isText = (key: string) => typeof value[key] === 'string';
  // Data of a client may have the same names, and something else behind them.
  return ['class', 'code', 'message', 'remedy'].every(isText) && typeof value.retryable === 'boolean';
}
