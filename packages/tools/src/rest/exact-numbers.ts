// Numbers that others write and that no number here can hold: ids of twenty digits, and what is larger than everything.

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

// The types do not know yet that a reviver is told how a value was written, nor what writes it so again.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON(source: string): unknown };

/** Far fewer texts have so many digits before a point, or such an exponent, than have to be looked through. */
const isSuspect = /(?<![.\d])\d{16}|\d[eE]\+?\d{3}/;

/** The value with such numbers as they were written, for `JSON.stringify`; nothing when it has none. Throws for what is no JSON. */
export function withExactNumbers(text: string): unknown {
  if (!isSuspect.test(text)) return undefined;
  let hasSome = false;
  const value = parse(text, (_, one, { source }) => {
    if (typeof one !== 'number' || source === undefined || isHeld(one, source)) return one;
    hasSome = true;
    return rawJSON(source);
  });
  return hasSome ? value : undefined;
}

function isHeld(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(source) || BigInt(source) === BigInt(value);
}
