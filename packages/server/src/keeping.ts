// Where a house keeps what lasts: its sessions, those that wait, and its notes. A store that fails has memory beside it.

import {
  type Clock,
  MemoryPauses,
  type NoteStore,
  type PauseStore,
  type Ports,
  type SessionStore,
} from '@ai-agent/core';
import { KeptBeside } from './kept-beside.ts';
import { MemoryNotes } from './memory-notes.ts';
import { MemorySessions } from './memory-sessions.ts';
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
  /** Whether the store had its say in the last list of sessions. */
  isListWhole(): boolean;
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
  const pauses =
    store?.pauses && !ports.pauses
      ? new PausesBeside(store.pauses, { patience, onBug: seldom(clock, onBug) })
      : new PausesApart(ports.pauses ?? new MemoryPauses());
  const notes = store?.notes
    ? new NotesBeside(store.notes, { now, onBug: seldom(clock, onBug) })
    : new MemoryNotes(now);
  const isShared = store?.notes !== undefined;
  if (!store || store instanceof MemorySessions)
    return {
      store: store ?? new MemorySessions(),
      pauses,
      notes,
      isShared,
      keptOf: () => Number.POSITIVE_INFINITY,
      isListWhole: () => true,
      mend: async () => {},
    };
  const beside = new KeptBeside(store, { clock, patience, onBug: seldom(clock, onBug) });
  return {
    store: beside,
    pauses,
    notes,
    isShared,
    keptOf: (id) => beside.keptOf(id),
    isListWhole: () => beside.isListWhole,
    mend: () => beside.mend(),
  };
}

/** What goes wrong all the time is told from time to time. */
function seldom(clock: Clock, tell: (error: unknown) => void): (error: unknown) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const at = clock.now();
    if (at - toldAt < seldomMs) return;
    toldAt = at;
    tell(error);
  };
}

const seldomMs = 60_000;
