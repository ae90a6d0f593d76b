// Which rows are open: what somebody opened or closed by hand, above what was last said of all of them.

export interface Expansion {
  /** Said of all at once; missing until somebody did. */
  readonly all?: boolean;
  /** Said of single ones since. */
  readonly some: ReadonlyMap<string, boolean>;
}

export const untouched: Expansion = { some: new Map() };

export function isOpen({ all, some }: Expansion, id: string, byDefault: boolean): boolean {
  return some.get(id) ?? all ?? byDefault;
}

export function withOpen(expansion: Expansion, ids: readonly string[], isOpen: boolean): Expansion {
  return { ...expansion, some: new Map([...expansion.some, ...ids.map((id) => [id, isOpen] as const)]) };
}

export function withAll(all: boolean): Expansion {
  return { all, some: new Map() };
}
