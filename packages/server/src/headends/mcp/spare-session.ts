// Which session ends when there is no room for another: the key that has most gives one up, so that nobody shuts out others.

export interface Spare {
  /** The key of whoever began it. */
  readonly owner: string | null;
  /** Whether something that was asked in it has no answer yet. */
  readonly isWorking: boolean;
}

export interface Sessions<S extends Spare> {
  readonly open: Iterable<S>;
  /** Those that nobody uses, the first for longest. */
  readonly idle: Iterable<S>;
}

/**
 * One that nobody uses, of a key that has no fewer; else one whose client only listens, of a key that has more. Undefined when
 * nobody gives one up.
 */
export function spareFor<S extends Spare>(owner: string | null, { open, idle }: Sessions<S>): S | undefined {
  const all = [...open];
  const counts = new Map<string | null, number>();
  for (const one of all) counts.set(one.owner, (counts.get(one.owner) ?? 0) + 1);
  const countOf = (key: string | null) => counts.get(key) ?? 0;
  const unused = [...idle].filter((one) => countOf(one.owner) >= countOf(owner));
  const listening = all.filter((one) => !one.isWorking && countOf(one.owner) > countOf(owner) + 1);
  return firstOfMost(unused, countOf) ?? firstOfMost(listening, countOf);
}

function firstOfMost<S extends Spare>(sessions: readonly S[], countOf: (key: string | null) => number): S | undefined {
  const most = Math.max(...sessions.map(({ owner }) => countOf(owner)));
  return sessions.find(({ owner }) => countOf(owner) === most);
}
