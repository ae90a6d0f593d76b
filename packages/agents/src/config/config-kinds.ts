// Kinds of value in a configuration file. Where an object or a list is wanted, what was found may be a secret: it is not shown.

import { complain, type Given, type Kind, type Scalar, scalar } from '../options/kind.ts';
import { choice, duration, names, text, toMs } from '../options/kinds.ts';
import { type Fields, record, type ShapeOptions, shape } from '../options/shape.ts';
import { variablesIn } from './variables.ts';

/** An object whose keys are known; another one is a warning, unless it is said to be an error. */
export function settings(fields: Fields, { unknown = 'warning' }: ShapeOptions = {}): Kind {
  const open = Object.entries(fields).map(([key, kind]) => [key, orVariable(kind)] as const);
  return objectOf(shape(Object.fromEntries(open), { unknown }));
}

/** An object whose keys are names of its author's choice. */
export function table(kind: Kind): Kind {
  return objectOf(record(orVariable(kind)));
}

/** A table whose names are spelt as `pattern` says. */
export function namedTable(pattern: RegExp, allowed: string, kind: Kind): Kind {
  const held = table(kind);
  return {
    allowed: held.allowed,
    read(given) {
      for (const [name, { line }] of given.at.fields ?? []) {
        const place = { ...given.place, key: `${given.place.key}.${name}`, ...(line === undefined ? {} : { line }) };
        if (!pattern.test(name)) complain({ ...given, place }, `the name must be ${allowed}`);
      }
      return held.read(given);
    },
  };
}

/** An object whose parts are somebody else's to check. */
export const anObject: Kind = objectOf({ allowed: 'an object', read: ({ at }) => at.value });

/** What may also be switched off. */
export function orFalse(kind: Kind): Kind {
  return {
    allowed: `${kind.allowed}, or false`,
    read: (given) => (given.at.value === false ? false : kind.read(given)),
  };
}

export function listOf(kind: Kind): Kind<readonly unknown[]> {
  const one = orVariable(kind);
  return {
    allowed: `a list; each value ${kind.allowed}`,
    read(given) {
      const { items } = given.at;
      if (!items) return misfit(given, 'a list');
      return items.map((at, index) => {
        const { place, problems } = given;
        const line = at.line ?? place.line;
        const here = { ...place, key: `${place.key}[${index}]`, ...(line === undefined ? {} : { line }) };
        return one.read({ at, place: here, problems });
      });
    },
  };
}

const texts = listOf(text);

export const textOrTexts: Kind = {
  allowed: 'text, or a list of texts',
  read(given) {
    if (given.at.items) return texts.read(given);
    return given.at.fields ? misfit(given, this.allowed) : text.read(given);
  },
};

/** A list, or a text with commas, of these words. */
export function choices(...words: readonly string[]): Kind {
  const one = choice(...words);
  const allowed = `a list of ${words.join(', ')}`;
  return {
    allowed,
    read(given) {
      const found = names.read(given);
      const wrong = found?.find((word) => one.parse(word) === undefined);
      return wrong === undefined ? found : complain(given, `found ${JSON.stringify(wrong)}; must be ${allowed}`);
    },
  };
}

/** How long a result may be used again: milliseconds, 0 for not at all. */
export const keptFor = scalar(`off, or ${duration.allowed}`, (value) =>
  value === false || ['off', 'none', '0'].includes(String(value).trim().toLowerCase()) ? 0 : toMs(value),
);

const bytesOf: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1_000,
  mb: 1_000 ** 2,
  gb: 1_000 ** 3,
  kib: 1_024,
  mib: 1_024 ** 2,
  gib: 1_024 ** 3,
};

/** Bytes. */
export const size = scalar(
  'a size such as 500MB or 2GiB (KB, MB, GB, KiB, MiB, GiB), or bytes; 1 MiB or more',
  (value) => {
    const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(value)) ?? [];
    const factor = Object.hasOwn(bytesOf, unit.toLowerCase()) ? bytesOf[unit.toLowerCase()] : undefined;
    const bytes = Math.round(Number(amount) * (factor ?? Number.NaN));
    return Number.isSafeInteger(bytes) && bytes >= 1_024 ** 2 ? bytes : undefined;
  },
);

function objectOf(kind: Kind): Kind {
  return {
    allowed: kind.allowed,
    read: (given) => (given.at.fields ? kind.read(given) : misfit(given, 'an object')),
  };
}

/** What a variable will hold is not known before a session has it. */
export function orVariable(kind: Kind): Kind {
  if (!isScalar(kind)) return kind;
  return {
    allowed: kind.allowed,
    read(given) {
      const { value, fields, items } = given.at;
      if (fields || items) return misfit(given, kind.allowed);
      return variablesIn(value).length > 0 ? value : kind.read(given);
    },
  };
}

function isScalar(kind: Kind): kind is Scalar {
  return 'parse' in kind;
}

function misfit(given: Given, allowed: string): undefined {
  return complain(given, `found ${nameOf(given)}; must be ${allowed}`);
}

function nameOf({ at: { value, fields, items } }: Given): string {
  if (fields) return 'an object';
  if (items) return 'a list';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
