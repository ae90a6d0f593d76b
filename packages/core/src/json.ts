// Plain data: what may cross the runtime seam, and how large it is.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema document, as its author wrote it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes a value plain: what JSON cannot say (functions, undefined, cycles) does not survive. */
export function toJson(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** How many bytes a text takes as UTF-8. Core has no TextEncoder, and needs only the count. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** The head of a text, for places where payloads are bounded; never splits a surrogate pair. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
