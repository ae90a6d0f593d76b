// Whether damaged JSON can only have meant one thing: then it may be repaired, otherwise nobody should guess.

/**
 * Trailing commas, single quotes, Python's words, bare keys, comments, raw line breaks and missing or surplus last brackets
 * are slips. What ends inside a string or a number, has two values side by side, or escapes what JSON does not, is not.
 */
export function isSoundDamage(text: string): boolean {
  const shape = new Shape();
  for (const token of tokensOf(text)) {
    const kind = kindOf(token);
    if (kind !== 'comment' && !shape.take(kind, token)) return false;
  }
  return shape.isSound;
}

class Shape {
  readonly #open: { readonly closing: string; readonly keys: Set<string> }[] = [];
  #before = '^';
  #last = '';

  /** Whether this may stand here. */
  take(kind: string, token: string): boolean {
    const isClosing = kind === '}' || kind === ']';
    if (this.#isClosed) return isClosing;
    if (!followers[kind]?.includes(this.#before)) return false;
    if (kind === ':' && !this.#isNewKey(unescaped(this.#last))) return false;
    this.#before = kind;
    this.#last = token;
    if (isClosing) return this.#open.pop()?.closing === kind;
    if (kind === '{' || kind === '[') this.#open.push({ closing: kind === '{' ? '}' : ']', keys: new Set() });
    return true;
  }

  /** A key that is given twice could mean either value. */
  #isNewKey(key: string): boolean {
    const keys = this.#open.at(-1)?.keys;
    const isNew = keys !== undefined && !keys.has(key);
    keys?.add(key);
    return isNew;
  }

  /** Only brackets are missing, if anything is. */
  get isSound(): boolean {
    return this.#isClosed || 's}]'.includes(this.#before);
  }

  get #isClosed(): boolean {
    return this.#open.length === 0 && this.#before !== '^';
  }
}

/** After which kinds a kind may stand; `^` is the beginning. `s` is a string, `w` a number or a literal, `k` a bare key. */
const followers: Readonly<Record<string, string>> = {
  '{': '^[,:',
  '[': '[,:',
  s: '{[,:',
  w: '[,:',
  k: '{,',
  ':': 'sk',
  ',': 'sw}]',
  '}': '{sw,}]',
  ']': '[sw,}]',
};

function kindOf(token: string): string {
  const first = token[0] as string;
  if ('{}[],:'.includes(first)) return first;
  if (token.startsWith('//') || token.startsWith('/*')) return 'comment';
  if (first === '"' || first === "'") return isWholeString(token) ? 's' : 'odd';
  if (/^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|True|False|None)$/.test(token)) return 'w';
  return /^[A-Za-z_$][\w$]*$/.test(token) ? 'k' : 'odd';
}

function isWholeString(token: string): boolean {
  return token.length > 1 && token.endsWith(token[0] as string) && !/\\(?!["'\\/bfnrtu])/.test(withoutPairs(token));
}

/** Two backslashes are one, and escape nothing. */
function withoutPairs(token: string): string {
  return token.replaceAll('\\\\', '').slice(0, -1);
}

function* tokensOf(text: string): Generator<string> {
  const pattern = /[{}[\],:]|\/\/[^\n]*|\/\*|["']|[^\s{}[\],:"'/]+|\//g;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [token] = found;
    const end = token === '/*' ? endOfComment(text, pattern.lastIndex) : endOfString(text, found.index, token);
    pattern.lastIndex = end ?? pattern.lastIndex;
    yield end === undefined ? token : text.slice(found.index, end);
  }
}

function endOfComment(text: string, from: number): number {
  const end = text.indexOf('*/', from);
  return end === -1 ? text.length : end + 2;
}

/** Undefined for what is no string. One that is never closed ends before its quote would, so that it is seen to be open. */
function endOfString(text: string, start: number, quote: string): number | undefined {
  if (quote !== '"' && quote !== "'") return undefined;
  const stop = quote === '"' ? /["\\]/g : /['\\]/g;
  stop.lastIndex = start + 1;
  for (let found = stop.exec(text); found; found = stop.exec(text)) {
    if (found[0] === quote) return stop.lastIndex;
    stop.lastIndex++;
  }
  return start + 1;
}

/** Every character that carries meaning, in order: with the same ones before and after, a repair lost and invented nothing. */
export function meaningOf(text: string): string {
  let meaning = '';
  for (const token of tokensOf(text)) {
    if (kindOf(token) === 'comment') continue;
    meaning += pythonic[token] ?? unescaped(token);
  }
  return meaning;
}

const pythonic: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

function unescaped(token: string): string {
  if (token[0] !== '"' && token[0] !== "'") return token.replace(/[{}[\],:]/g, '');
  return token
    .slice(1, -1)
    .replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (_, escaped: string) => decoded(escaped))
    .replace(/\r/g, '');
}

function decoded(escaped: string): string {
  if (escaped.length === 5) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return controls[escaped] ?? escaped;
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '', t: '\t', b: '\b', f: '\f' };
