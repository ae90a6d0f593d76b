// Channels by pattern: an id, a glob of ids, a name with or without `#`, or a glob of names; what could be either is both.

import { toMatcher } from '@ai-agent/core';

export interface Channel {
  readonly id: string;
  /** Undefined when it could not be found, or nobody needs it. */
  readonly name: string | undefined;
  readonly isDirect: boolean;
}

/** A name that is not known fits no name where it opens (`open`), and every name where it shuts out (`closed`). */
export function fitsChannel(
  patterns: readonly string[] | undefined,
  channel: Channel,
  unknownName: 'open' | 'closed',
): boolean {
  return patterns?.some((pattern) => fitsPattern(pattern, channel, unknownName)) ?? true;
}

/** Whether it takes a channel's name to tell. */
export function isNamePattern(pattern: string): boolean {
  return !isEverything(pattern) && !isSurelyId(pattern);
}

function fitsPattern(pattern: string, { id, name, isDirect }: Channel, unknownName: 'open' | 'closed'): boolean {
  if (isEverything(pattern)) return true;
  if (mayBeId(pattern) && toMatcher([pattern.trim()])(id)) return true;
  if (isSurelyId(pattern)) return false;
  // Direct messages have no name that anybody gave them.
  if (isDirect) return false;
  if (name === undefined) return unknownName === 'closed';
  return toMatcher([withoutHash(pattern)])(withoutHash(name));
}

function isEverything(pattern: string): boolean {
  return /^\*+$/.test(pattern.trim());
}

/** In capitals, as Slack writes them: `Central` and `#GENERAL` are names, `GENERAL` may be an id. A glob of ids has its digit: `C0*`. */
function mayBeId(pattern: string): boolean {
  return /^[CDG](?:[A-Z0-9]{6,}|[0-9][A-Z0-9]*[*?][A-Z0-9*?]*)$/.test(pattern.trim());
}

/** Ids of today begin with these; older ones look like any word in capitals, and a deny rule that is taken for one would shut out nobody. */
function isSurelyId(pattern: string): boolean {
  return mayBeId(pattern) && /^[CDG]0/.test(pattern.trim());
}

function withoutHash(text: string): string {
  return text.trim().replace(/^#/, '');
}
