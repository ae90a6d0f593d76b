// A ring of agent files, whichever way each names the next, in words.

import { basename } from 'node:path';
import { toShort } from './problem.ts';
import type { Role } from './role.ts';

/** A file on the way down, and as what the one above names it. */
export interface Step {
  readonly file: string;
  readonly role: Role;
}

/** The same ring wherever somebody came into it: from the first of its files, in the order of their paths, back to that. */
export function fromItsFirst(ring: readonly Step[]): readonly Step[] {
  const steps = ring.slice(1);
  const [first = ''] = steps.map(({ file }) => file).sort();
  const at = steps.findIndex(({ file }) => file === first);
  const turned = [...steps.slice(at), ...steps.slice(0, at)];
  return [...turned, ...turned.slice(0, 1)];
}

/** The first and the last are the same file; how the first is named does not matter. */
export function ringInWords(ring: readonly Step[], cwd: string): string {
  const names = ring.map(({ file }) => basename(file));
  const isClear = new Set(names).size === new Set(ring.map(({ file }) => file)).size;
  const shown = isClear ? names : ring.map(({ file }) => toShort(file, cwd));
  const isPlain = ring.slice(1).every(({ role }) => role === 'agents');
  const [first, ...others] = shown.map((name, i) => `${isPlain ? '→' : `-(${ring[i]?.role})→`} ${name}`);
  return `these files form a cycle: ${[first?.replace(/^\S+ /, ''), ...others].join(' ')}`;
}
