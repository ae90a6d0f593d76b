// Skips facts that a replay or a store emits again. A fact is identified by its session, its operation and its type.

import type { Fact } from '../events.ts';

/** True for a fact that was not seen before; remembers it. */
export type IsNews = (fact: Fact) => boolean;

export function onlyNews(): IsNews {
  const seen = new Map<string, Set<string>>();
  return ({ op, type, trace }) => {
    const ofSession = seen.get(trace.selfId) ?? new Set();
    const { size } = ofSession;
    if (size === 0) seen.set(trace.selfId, ofSession);
    return ofSession.add(`${op} ${type}`).size > size;
  };
}
