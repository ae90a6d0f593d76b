// Kinds of value that have parts: an object with known keys, an object with any keys, one of several kinds.

import type { Field } from '../located.ts';
import { meantBy, type Place } from '../problem.ts';
import { type Given, type Kind, wrong } from './kind.ts';

export type Fields = Readonly<Record<string, Kind>>;

export interface ShapeOptions {
  /** What a key that nobody knows is. @default 'error' */
  readonly unknown?: 'error' | 'warning';
}

/** An object whose keys are known. A part that is wrong is left out, and told. */
export function shape(fields: Fields, { unknown = 'error' }: ShapeOptions = {}): Kind<Record<string, unknown>> {
  const known = Object.keys(fields);
  return {
    allowed: `an object with any of ${known.join(', ')}`,
    read(given) {
      if (!given.at.fields) return wrong(given, this.allowed);
      const read: Record<string, unknown> = {};
      for (const [key, field] of given.at.fields) {
        const part = toPart(given, key, field);
        const kind = Object.hasOwn(fields, key) ? fields[key] : undefined;
        const value = kind ? kind.read(part) : tellUnknown(part, { key, known, severity: unknown });
        if (value !== undefined) read[key] = value;
      }
      return read;
    },
  };
}

/** An object whose keys are names of its author's choice. */
export function record<T>(kind: Kind<T>): Kind<Record<string, T>> {
  return {
    allowed: `an object; each value ${kind.allowed}`,
    read(given) {
      if (!given.at.fields) return wrong(given, this.allowed);
      const read: Record<string, T> = {};
      for (const [key, field] of given.at.fields) {
        const value = kind.read(toPart(given, key, field));
        if (value !== undefined) read[key] = value;
      }
      return read;
    },
  };
}

/** Anything, as it is. */
export const anything: Kind = { allowed: 'anything', read: ({ at }) => at.value };

export function toPart({ place, problems }: Given, key: string, { line, at }: Field): Given {
  const path = place.key === undefined ? key : `${place.key}.${key}`;
  const here: Place = { ...place, key: path, ...(line === undefined ? {} : { line }) };
  return { at, place: here, problems };
}

interface Unknown {
  readonly key: string;
  readonly known: readonly string[];
  readonly severity: 'error' | 'warning';
}

export function tellUnknown({ problems, place }: Given, { key, known, severity }: Unknown): undefined {
  problems.add(severity, { code: 'key-unknown', place, message: `is not known; ${meantBy(key, known)}` });
  return undefined;
}
