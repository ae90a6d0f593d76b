// Measures and cuts of text.

/** How many bytes a text takes as UTF-8. Core has no TextEncoder, and needs only the count. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  // Most texts are plain, and an expression sees that faster than a loop.
  if (!/[\u0080-\uffff]/.test(text)) return bytes;
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

/** Bytes of a text inside a JSON string. */
export function escapedBytes(text: string): number {
  let bytes = utf8Bytes(text);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22 || unit === 0x5c || unit === 0x0a) bytes++;
    else if (unit < 0x20) bytes += 5;
  }
  return bytes;
}

/** The head of a text, for places where payloads are bounded; never splits a surrogate pair. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

/** The longest head of a text that fits into so many bytes; never splits a character. */
export function headBytes(text: string, maxBytes: number): string {
  let [low, high] = [0, Math.min(text.length, maxBytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (utf8Bytes(text.slice(0, middle)) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, isLowSurrogate(text.charCodeAt(low)) ? low - 1 : low);
}

/** The same of its tail. */
export function tailBytes(text: string, maxBytes: number): string {
  let [low, high] = [0, Math.min(text.length, maxBytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (utf8Bytes(text.slice(text.length - middle)) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  const from = text.length - low;
  return text.slice(characterAt(text, from) === from ? from : from + 1);
}

/** Where the character begins that a position is in. */
export function characterAt(text: string, at: number): number {
  const isInside = isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1));
  return isInside ? at - 1 : at;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** On one line, without control sequences: what a model wrote must not forge a log line or drive a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** FNV-1a, 32 bits: enough to tell two texts apart where a mistake is noticed, not where somebody would forge one. */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** Tells the tags of a session from whatever a model or a person writes: the same on every replay, and unknown before. */
export function nonceOf(sessionId: string): string {
  return hash(sessionId);
}
