// A value that knows the line it came from: YAML and JSON in one form, so that whoever reads it can say where it is wrong.

export interface Located {
  /** As plain data. */
  readonly value: unknown;
  /** From 1; missing for what was not in a file. */
  readonly line?: number;
  /** Of an object. What is null is not there. */
  readonly fields?: ReadonlyMap<string, Field>;
  /** Of a list. */
  readonly items?: readonly Located[];
}

export interface Field {
  /** Of the key. */
  readonly line?: number;
  readonly at: Located;
}

export interface SyntaxProblem {
  readonly line: number;
  readonly message: string;
}

export type Parsed = { readonly root: Located } | { readonly problems: readonly SyntaxProblem[] };

/** A value that came from nowhere with lines, such as a flag. */
export function located(value: unknown): Located {
  if (Array.isArray(value)) return { value, items: value.map(located) };
  if (typeof value !== 'object' || value === null) return { value };
  const entries = Object.entries(value).filter(([, held]) => held !== null && held !== undefined);
  return { value, fields: new Map(entries.map(([key, held]) => [key, { at: located(held) }])) };
}
