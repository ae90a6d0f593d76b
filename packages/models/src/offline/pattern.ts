// Regular expressions of others: texts made to match them, and a test only where it cannot take long.

/** Nothing, when trying could take longer than it is worth: backtracking is exponential in the worst case. */
export function testPattern(source: string, text: string): boolean | undefined {
  const plain = source.replace(/\(\?[:=!<]/g, '(');
  const isRepeatedGroup = /\)[*+?{]/.test(plain);
  const isManyWays = plain.includes('|') && plain.split('(').length > 2;
  const repeats = plain.match(/[*+?]|\{\d+,/g)?.length ?? 0;
  if (isRepeatedGroup || isManyWays || source.length > 500 || text.length ** (1 + repeats) > 100_000) return undefined;
  try {
    return new RegExp(source, 'u').test(text);
  } catch {
    return undefined;
  }
}

/** A few proposals, shortest first; all made to match, as far as simple expressions go. */
export function samplesOf(source: string): readonly string[] {
  if (source.length > 5000) return [];
  const sample = toSample(source.match(tokens) ?? []);
  const choices = [0, 1, 2, 4, 8, 16, 32].flatMap((extra) => [0, 1, 2].map((pick) => ({ extra, pick, left: 500 })));
  // One that ran out of room is not whole.
  return [...new Set(choices.flatMap((choice) => [sample(choice)].filter(() => choice.left > 0)))];
}

interface Choice {
  /** How often something that may repeat without end repeats beyond its least. */
  readonly extra: number;
  /** Which of several alternatives, or characters. */
  readonly pick: number;
  /** How much more may be written. */
  left: number;
}

type Sample = (choice: Choice) => string;

/** An escape, a class, the opening of a group, a repeat, or a single character. */
const tokens =
  /\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<\w+>|[a-z-]*:)|\{\d+,?\d*\}|./gsu;

function toSample(source: readonly string[]): Sample {
  let at = 0;

  function alternatives(): Sample {
    const all = [sequence()];
    while (source[at] === '|') {
      at++;
      all.push(sequence());
    }
    return (choice) => all[choice.pick % all.length]?.(choice) ?? '';
  }

  function sequence(): Sample {
    const parts: Sample[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(atom()));
    return (choice) => parts.map((part) => (choice.left-- > 0 ? part(choice) : '')).join('');
  }

  function atom(): Sample {
    const token = source[at++] ?? '';
    if (!token.startsWith('(')) return /^(?:\^|\$|\\[bB1-9k])$/.test(token) ? () => '' : oneOf(token);
    const inner = alternatives();
    at++;
    return /^\(\?<?[=!]/.test(token) ? () => '' : inner;
  }

  function repeated(sample: Sample): Sample {
    const [, sign, low] = /^(?:([*+?])|\{(\d+),?\d*\})$/.exec(source[at] ?? '') ?? [];
    if (sign === undefined && low === undefined) return sample;
    const isEndless = sign === '*' || sign === '+' || source[at]?.endsWith(',}') === true;
    const least = low === undefined ? Number(sign === '+') : Number(low);
    at += source[at + 1] === '?' ? 2 : 1;
    return (choice) => {
      let text = '';
      const count = isEndless ? least + choice.extra : least;
      for (let i = 0; i < count && choice.left-- > 0; i++) text += sample(choice);
      return text;
    };
  }

  return alternatives();
}

const alphabet = [
  ...'abcdefghijklmnopqrstuvwxyz1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...' -_.,:;/!?@#$%&*+=()<>[]{}"\'\\|~^`\n\té中',
];

/** A literal, or the first characters that the class or escape itself accepts. */
function oneOf(token: string): Sample {
  if (token.length === 1 && token !== '.') return () => token;
  const accepted = charactersOf(token);
  return ({ pick }) => accepted[pick % accepted.length] ?? '';
}

function charactersOf(token: string): readonly string[] {
  const code = /^\\u([\da-fA-F]{4})$/.exec(token)?.[1];
  if (code !== undefined) return [String.fromCharCode(Number.parseInt(code, 16))];
  try {
    const one = new RegExp(`^${token}$`, 'u');
    return alphabet.filter((character) => one.test(character)).slice(0, 3);
  } catch {
    // An escape that is none, such as `\-`.
    return [token.slice(1)];
  }
}
