// The words of a command line: flags wherever they stand, everything after -- as it is.

import { nearest } from '@ai-agent/core';

/** Whether a flag has a value after it. */
export type FlagForms = ReadonlyMap<string, 'value' | 'alone'>;

export interface Words {
  readonly words: readonly Word[];
  /** In the order given. */
  readonly flags: readonly (readonly [name: string, value: string])[];
}

export interface Word {
  readonly text: string;
  /** It stood after --, so that it means nothing but itself. */
  readonly isLiteral: boolean;
  /** How many flags stand before it. @default all of them */
  readonly flagsBefore?: number;
}

export interface Misuse {
  readonly problem: string;
}

export interface KnownFlags {
  readonly forms: FlagForms;
  /** Flags that cannot be carried out, with the sentence that says why and what to do instead. @default none */
  readonly refused?: ReadonlyMap<string, string>;
  /** The flags of the command that was named, where that takes no prompt. @default a prompt may follow */
  readonly own?: FlagForms | undefined;
}

export function readWords(argv: readonly string[], known: KnownFlags): Words | Misuse {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const words: Word[] = [];
  const flags: (readonly [string, string])[] = [];
  for (let i = 0; i < end; i++) {
    const word = argv[i] as string;
    if (!word.startsWith('-') || word === '-') {
      words.push({ text: word, isLiteral: false, flagsBefore: flags.length });
      continue;
    }
    const next = i + 1 < end ? argv[i + 1] : undefined;
    const flag = readFlag(word, next, known);
    if ('problem' in flag) return flag;
    flags.push([flag.name, flag.value]);
    if (flag.isNextTaken) i++;
  }
  words.push(...argv.slice(end + 1).map((text) => ({ text, isLiteral: true })));
  return { words, flags };
}

interface Flag {
  readonly name: string;
  readonly value: string;
  readonly isNextTaken: boolean;
}

function readFlag(word: string, next: string | undefined, known: KnownFlags): Flag | Misuse {
  const { forms, refused } = known;
  const [name = '', ...rest] = word.split('=');
  const own = rest.length > 0 ? rest.join('=') : undefined;
  const form = forms.get(name);
  const refusal = refused?.get(name);
  if (refusal !== undefined) return { problem: `${name} ${refusal}` };
  if (!form) return { problem: `There is no option ${name}.${meant(name, known)}` };
  if (form === 'alone')
    return own === undefined
      ? { name, value: '', isNextTaken: false }
      : { problem: `${name} takes no value, and "${own}" was given.` };
  const value = own ?? next;
  return value === undefined
    ? { problem: `${name} needs a value after it.` }
    : { name, value, isNextTaken: own === undefined };
}

function meant(name: string, { forms: all, own }: KnownFlags): string {
  const forms = own ?? all;
  const inSmall = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (inSmall !== name && forms.has(inSmall)) return ` It is written ${inSmall}.`;
  // One letter is near to any other.
  const close = name.length < 4 ? undefined : nearest(name, [...forms.keys()]);
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  return own ? hint : `${hint} Put -- before a prompt that begins with a dash.`;
}

/** The last value of a flag, in any of its spellings. */
export function flagValue({ flags }: Words, ...names: readonly string[]): string | undefined {
  return flags.findLast(([name]) => names.includes(name))?.[1];
}

export function flagValues({ flags }: Words, name: string): readonly string[] {
  return flags.flatMap(([flag, value]) => (flag === name ? [value] : []));
}
