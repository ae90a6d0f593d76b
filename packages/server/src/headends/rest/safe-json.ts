// What was recorded, written for whoever asks: what nobody foresaw is told to nobody, anywhere in it.

import { type Failure, isObject } from '@ai-agent/core';
import { withoutBug } from '../../failure-status.ts';

/** In one line. */
export function toSafeJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('"class":"bug"')) return text;
  return JSON.stringify(value, (_key, part: unknown) => (isBug(part) ? withoutBug(part) : part));
}

function isBug(value: unknown): value is Failure {
  return isObject(value) && value.class === 'bug' && 'code' in value && 'remedy' in value && 'retryable' in value;
}
