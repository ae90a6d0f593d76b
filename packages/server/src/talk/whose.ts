// Whose something is that is kept between two requests: that of a key, and of the user whom it asked for.

import type { SessionHead } from '@ai-agent/core';
import type { Visitor } from '../visitor.ts';

/** The same for the same ones alone. */
export function whoseOf({ key, user }: Pick<Visitor, 'key' | 'user'>): string {
  return JSON.stringify([key, user ?? null]);
}

export function whoseIs({ owner, user }: Pick<SessionHead, 'owner' | 'user'>): string {
  return whoseOf({ key: owner, user });
}
