// One text that a prompt is made of: the body of an agent, or a file that is included.

import type { Template } from 'liquidjs';
import { toTemplate } from './older-syntax.ts';

export interface Source {
  readonly file: string;
  /** With all links followed. */
  readonly realPath: string;
  readonly text: string;
  /** The same with nothing of the older syntax, line for line. */
  readonly template: string;
  /** Where the text begins in its file, from 1. */
  readonly firstLine: number;
  /** What it includes, by the path as it is written. */
  readonly includes: Map<string, Source>;
  /** How many includes it leads to, one inside the other. */
  height: number;
  /** Missing while it was not parsed, or could not be. */
  templates?: Template[];
}

export type SourceText = Pick<Source, 'file' | 'realPath' | 'text' | 'firstLine'>;

export function toSource(given: SourceText): Source {
  return { ...given, template: toTemplate(given.text), includes: new Map(), height: 0 };
}

/** Whether Liquid has anything to do in it. */
export function isTemplate({ text }: Source): boolean {
  return text.includes('{{') || text.includes('{%');
}

/** Beyond this a prompt is a mistake. */
export const MAX_LENGTH = 16_000_000;

/** The line of the file that an offset of the text is in. */
export function toLineFinder({ template, firstLine }: Source): (offset: number) => number {
  const ends = [...template.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return firstLine + low;
  };
}
