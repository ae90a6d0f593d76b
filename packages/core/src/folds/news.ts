// Facts may be told again, by a replay or a store: only what comes after the last one seen of its session is news.

import type { Fact } from '../events.ts';

/** Says of a fact whether it is news, and remembers it. */
export type IsNews = (fact: Fact) => boolean;

export function onlyNews(): IsNews {
  const seen = new Map<string, number>();
  return ({ seq, trace }) => {
    if (seq <= (seen.get(trace.selfId) ?? 0)) return false;
    seen.set(trace.selfId, seq);
    return true;
  };
}
