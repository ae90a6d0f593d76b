// Texts that match a regular expression, for simple ones: literals, classes, groups, alternatives and repeats.

/** A few proposals, shortest first; whoever asks checks them against the pattern itself. */
export function* textsMatching(pattern: string): Generator<string> {
  const sample = new PatternReader(pattern).read();
  for (const extra of [0, 1, 2, 4, 8, 16, 32]) for (let pick = 0; pick < 3; pick++) yield sample({ extra, pick });
}

interface Choice {
  /** How often something that may repeat without end repeats beyond its least. */
  readonly extra: number;
  /** Which of several alternatives, or characters. */
  readonly pick: number;
}

type Sample = (choice: Choice) => string;

const nothing: Sample = () => '';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const alphabet = [
  ...letters,
  ...'1234567890',
  ...letters.toUpperCase(),
  ...' -_.,:;/!?@#$%&*+=()<>[]{}"\'\\|~^`\n\té中',
];

class PatternReader {
  readonly #source: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#source = [...pattern];
  }

  read(): Sample {
    const alternatives = [this.#sequence()];
    while (this.#take('|')) alternatives.push(this.#sequence());
    return (choice) => alternatives[choice.pick % alternatives.length]?.(choice) ?? '';
  }

  #sequence(): Sample {
    const parts: Sample[] = [];
    while (this.#at < this.#source.length && this.#peek() !== '|' && this.#peek() !== ')') {
      parts.push(this.#repeated(this.#atom()));
    }
    return (choice) => parts.map((part) => part(choice)).join('');
  }

  #atom(): Sample {
    const character = this.#next();
    if (character === '^' || character === '$') return nothing;
    if (character === '(') return this.#group();
    if (character === '[') return oneOf(this.#upTo(']', '['));
    if (character === '\\') return this.#escape();
    return character === '.' ? oneOf('.') : () => character;
  }

  #group(): Sample {
    const isLook = this.#peek() === '?' && /^\?<?[=!]/.test(this.#source.slice(this.#at, this.#at + 3).join(''));
    if (this.#take('?')) {
      if (this.#take('<') && !isLook) this.#upTo('>', '');
      else while (':=!'.includes(this.#peek()) && this.#peek() !== '') this.#next();
    }
    const inner = this.read();
    this.#take(')');
    return isLook ? nothing : inner;
  }

  #escape(): Sample {
    const character = this.#next();
    if (character === 'b' || character === 'B' || /[1-9k]/.test(character)) return nothing;
    if ((character === 'p' || character === 'P' || character === 'u') && this.#peek() === '{') {
      return oneOf(this.#upTo('}', `\\${character}`));
    }
    const length = character === 'u' ? 4 : character === 'x' ? 2 : 0;
    const code = this.#source.slice(this.#at, this.#at + length).join('');
    this.#at += length;
    return length > 0 ? () => String.fromCharCode(Number.parseInt(code, 16)) : oneOf(`\\${character}`, character);
  }

  #repeated(sample: Sample): Sample {
    const [least, most] = this.#quantifier();
    this.#take('?');
    return (choice) => {
      const count = Math.min(most, most === Number.POSITIVE_INFINITY ? least + choice.extra : Math.max(least, 0));
      return Array.from({ length: Math.min(count, 2000) }, () => sample(choice)).join('');
    };
  }

  #quantifier(): readonly [number, number] {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    const counted = /^\{(\d+)(,?)(\d*)\}/.exec(this.#source.slice(this.#at, this.#at + 20).join(''));
    if (!counted) return [1, 1];
    this.#at += counted[0].length;
    const least = Number(counted[1]);
    if (!counted[2]) return [least, least];
    return [least, counted[3] ? Number(counted[3]) : Number.POSITIVE_INFINITY];
  }

  /** Everything up to a closing character, as source text again. */
  #upTo(end: string, opening: string): string {
    let text = opening;
    while (this.#at < this.#source.length) {
      const character = this.#next();
      text += character;
      if (character === '\\') text += this.#next();
      else if (character === end) break;
    }
    return text;
  }

  #peek(): string {
    return this.#source[this.#at] ?? '';
  }

  #next(): string {
    return this.#source[this.#at++] ?? '';
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }
}

/** Characters that the class or escape itself accepts. */
function oneOf(source: string, literal = ''): Sample {
  const accepted = alphabet.filter((character) => matches(source, character)).slice(0, 3);
  const characters = accepted.length > 0 ? accepted : [literal];
  return ({ pick }) => characters[pick % characters.length] ?? '';
}

function matches(source: string, character: string): boolean {
  try {
    return new RegExp(`^(?:${source})$`, 'u').test(character);
  } catch {
    return false;
  }
}
