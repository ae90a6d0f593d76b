// Plain data: what may cross the runtime seam.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema document, as its author wrote it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same text for the same value, in whatever order its keys were written. */
export function toSortedJson(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** Makes a value plain: what JSON cannot say (functions, undefined, cycles) does not survive. */
export function toJson(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** About what plain data takes in memory: letters, and something for everything that holds them. However deep it is. */
export function sizeOf(data: object): number {
  const holders = [data];
  let size = 0;
  for (let holder = holders.pop(); holder; holder = holders.pop()) {
    size += 32;
    // Many times as fast as going by the keys.
    for (const part of Object.values(holder) as unknown[]) {
      if (typeof part === 'string') size += 16 + part.length;
      else if (typeof part === 'object' && part !== null) holders.push(part);
      else size += 8;
    }
  }
  return size;
}
