// Whether a client wants one of its tools called, and no words.

import { isObject } from '@ai-agent/core';

/** In every form that the choice of tools has, also the one that was before there could be several. */
export function mustCall(choice: unknown): boolean {
  if (!isObject(choice)) return choice === 'required';
  const { type = 'function' } = choice;
  if (type !== 'allowed_tools') return type === 'function' || type === 'custom';
  const { mode } = isObject(choice.allowed_tools) ? choice.allowed_tools : choice;
  return mode === 'required';
}
