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
}

export interface Misuse {
  readonly problem: string;
}

export function readWords(argv: readonly string[], forms: FlagForms): Words | Misuse {
  const words: Word[] = [];
  const flags: (readonly [string, string])[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === '--') {
      words.push(...argv.slice(i + 1).map((text) => ({ text, isLiteral: true })));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push({ text: word, isLiteral: false });
      continue;
    }
    const [name = '', ...rest] = word.split('=');
    const form = forms.get(name);
    if (!form) return { problem: `There is no option "${name}"${meant(name, forms)}` };
    if (form === 'alone') {
      if (rest.length > 0) return { problem: `${name} takes no value, and "${rest.join('=')}" was given.` };
      flags.push([name, '']);
    } else if (rest.length > 0) flags.push([name, rest.join('=')]);
    else {
      const value = argv[++i];
      if (value === undefined || value === '--') return { problem: `${name} needs a value after it.` };
      flags.push([name, value]);
    }
  }
  return { words, flags };
}

function meant(name: string, forms: FlagForms): string {
  const close = nearest(name, [...forms.keys()]);
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  return `;${hint} put -- before a prompt that begins with a dash.`.replace('; D', '. D').replace('? put', '? Put');
}

/** The last value of a flag, in any of its spellings. */
export function valueOf({ flags }: Words, ...names: readonly string[]): string | undefined {
  return flags.findLast(([name]) => names.includes(name))?.[1];
}

export function valuesOf({ flags }: Words, name: string): readonly string[] {
  return flags.flatMap(([flag, value]) => (flag === name ? [value] : []));
}
