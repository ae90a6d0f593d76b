// Where a house keeps what lasts: its sessions, those that wait, and its notes. A store that fails has memory beside it.

import {
  type Clock,
  MemoryPauses,
  type NoteStore,
  type PauseStore,
  type Ports,
  type SessionQuery,
  type SessionStore,
} from '@ai-agent/core';
import type { Soon } from './at-once.ts';
import { KeptBeside } from './kept-beside.ts';
import type { ListedPage } from './listed-beside.ts';
import { MemoryNotes } from './memory-notes.ts';
import { MemorySessions } from './memory-sessions.ts';
import { Mending } from './mending.ts';
import { NotesBeside } from './notes-beside.ts';
import type { Patience } from './patience.ts';
import { PausesApart } from './pauses-apart.ts';
import { PausesBeside } from './pauses-beside.ts';

export interface Keeping {
  readonly store: SessionStore;
  readonly pauses: PauseStore;
  readonly notes: NoteStore;
  /** Whether notes are read by other servers too. */
  readonly isShared: boolean;
  /** How many facts of a session that does not run here the store has for good. */
  keptOf(id: string): number;
  /** Sessions that are looked for, and whether they are all of them. */
  listPage(query: SessionQuery): Soon<ListedPage>;
  /** Gives the store what it has failed to take. Settles when it has that, or has failed once more. */
  mend(): Promise<void>;
}

export interface KeepingOptions {
  readonly ports: Ports;
  readonly store?: SessionStore | undefined;
  readonly patience: Patience;
  readonly onBug: (error: unknown) => void;
}

export function openKeeping({ ports, store, patience, onBug }: KeepingOptions): Keeping {
  const { clock } = ports;
  const now = () => clock.now();
  const mending = new Mending(clock);
  const beside = () => ({ now, patience, onBug: seldom(clock, onBug), tryLater: mending.later });
  const pauses = store?.pauses && !ports.pauses ? new PausesBeside(store.pauses, beside()) : undefined;
  const notes = store?.notes ? new NotesBeside(store.notes, beside()) : undefined;
  const common = {
    pauses: pauses ?? new PausesApart(ports.pauses ?? new MemoryPauses()),
    notes: notes ?? new MemoryNotes(now),
    isShared: notes !== undefined,
    mend: () => mending.now(),
  };
  if (notes) mending.add(() => notes.mend());
  if (!store || store instanceof MemorySessions) {
    const sessions = store ?? new MemorySessions();
    if (pauses) mending.add(() => pauses.mend(() => false));
    return {
      ...common,
      store: sessions,
      keptOf: () => Number.POSITIVE_INFINITY,
      listPage: (query) => ({ heads: sessions.list(query), isComplete: true }),
    };
  }
  const sessions = new KeptBeside(store, { ...beside(), pauses });
  mending.add(() => sessions.mend());
  if (pauses) mending.add(() => pauses.mend((handle) => sessions.isPauseBehind(handle)));
  return {
    ...common,
    store: sessions,
    keptOf: (id) => sessions.keptOf(id),
    listPage: (query) => sessions.listPage(query),
  };
}

/** What goes wrong all the time is told from time to time. */
function seldom(clock: Clock, tell: (error: unknown) => void): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const at = clock.monotonicMs();
    if (at - toldAt < seldomMs) return;
    toldAt = at;
    tell(error);
  };
}

const seldomMs = 60_000;
