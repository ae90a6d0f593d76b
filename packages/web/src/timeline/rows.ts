// What the timeline shows, as a flat list of the rows that are visible: rounds, sessions, turns, model calls and tool calls.

import type { Ledger } from '@ai-agent/core';
import type { LiveSigns } from '../session/live-signs.ts';
import type { Round } from '../session/round.ts';
import { type Branch, branchOfRoot } from './branches.ts';
import { type Expansion, isOpen } from './expansion.ts';

export interface Row extends Omit<Branch, 'below' | 'hasBelow' | 'isOpenAtFirst'> {
  /** The row that it is below. */
  readonly parent: string | undefined;
  readonly round: Round;
  /** Of its round: whether anything of it may still change. */
  readonly isLive: boolean;
  /** From 1. */
  readonly level: number;
  /** Among those of the same parent, from 1, and how many these are. */
  readonly position: number;
  readonly siblings: number;
  /** Missing where nothing is below it. */
  readonly isOpen?: boolean;
}

export interface Scene {
  readonly rounds: readonly Round[];
  readonly ledger: Ledger;
  readonly live: LiveSigns;
  readonly expansion: Expansion;
  /** Whether the session is at work: what began in its last round and has not ended still runs. */
  readonly isAtWork: boolean;
}

/** Rounds are rows of their own only where there are several: then each stands for its root. */
export function toRows({ rounds, ledger, live, expansion, isAtWork }: Scene): readonly Row[] {
  const rows: Row[] = [];
  const last = rounds.at(-1);
  for (const [index, round] of rounds.entries()) {
    const isLive = isAtWork && round === last;
    const branch = branchOfRoot(round, { ledger, live, isLive, isOnly: rounds.length === 1, isLast: round === last });
    if (!branch) continue;
    const place = { parent: undefined, round, isLive, level: 1, position: index + 1, siblings: rounds.length };
    addRows(rows, branch, place, expansion);
  }
  return rows;
}

type Place = Pick<Row, 'parent' | 'round' | 'isLive' | 'level' | 'position' | 'siblings'>;

function addRows(rows: Row[], branch: Branch, place: Place, expansion: Expansion): void {
  const { below, hasBelow, isOpenAtFirst, ...shown } = branch;
  if (!hasBelow) {
    rows.push({ ...shown, ...place });
    return;
  }
  const open = isOpen(expansion, branch.id, isOpenAtFirst);
  rows.push({ ...shown, ...place, isOpen: open });
  if (!open) return;
  const branches = below();
  const siblings = branches.length;
  const level = place.level + 1;
  for (const [index, child] of branches.entries())
    addRows(rows, child, { ...place, parent: branch.id, level, position: index + 1, siblings }, expansion);
}
