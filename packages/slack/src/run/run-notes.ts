// Where runs are shown, kept as notes while they are at work or untold: who finds one whose process is gone tells what became of it.

import { isObject, type Json } from '@ai-agent/core';
import type { Desk } from '../desk.ts';
import type { Thread } from './threads.ts';

export interface RunNote {
  readonly thread: Thread;
  readonly asker: string;
  /** Empty where it may be there, and nobody has heard of it: then it stands behind `afterTs`. */
  readonly statusTs: string;
  readonly afterTs?: string | undefined;
  readonly streamTs?: string | undefined;
  /** The process that shows it. */
  readonly owner: string;
  /** How often its session had been gone on with. */
  readonly round: number;
  /** What was said, by its name in `Unbegun`: now it is at work. @default it was pressed */
  readonly said?: string | undefined;
  /** What of its answer is in the thread already. @default nothing */
  readonly told?: Told | undefined;
  /** Whether what shows it at work is older than it: what stands behind that may be of others. @default it is its own */
  readonly isOlder?: boolean | undefined;
  /** How often who came after it tried to tell it, and could not. @default never */
  readonly tries?: number | undefined;
  /** When it is worth to try again. @default at once */
  readonly notBeforeMs?: number | undefined;
}

/** How far an answer of many messages has come. */
export interface Told {
  /** Those that are there, in their order. */
  readonly messages: readonly string[];
  /** How many of its files are there. */
  readonly files: number;
  /** Whether one of them only says that a file has the words. */
  readonly hasStandIn: boolean;
}

const runMs = 30 * 24 * 60 * 60_000;
const mostRuns = 1_000;

/** Of one bot: several may share a store. */
export class RunNotes {
  readonly #desk: Pick<Desk, 'notes' | 'clock'>;
  readonly #prefix: string;

  /** `bot` is our id as a user. */
  constructor(desk: Pick<Desk, 'notes' | 'clock'>, bot: string) {
    this.#desk = desk;
    this.#prefix = `slack:run:${bot}/`;
  }

  async get(session: string): Promise<RunNote | undefined> {
    const note = await this.#desk.notes.get(this.#prefix + session);
    return isObject(note) ? (note as unknown as RunNote) : undefined;
  }

  async put(session: string, note: RunNote): Promise<void> {
    const { notes, clock } = this.#desk;
    await notes.put(this.#prefix + session, toJson(note), clock.now() + runMs);
  }

  async delete(session: string): Promise<void> {
    await this.#desk.notes.delete(this.#prefix + session);
  }

  /** Those of which there is one. */
  async sessions(): Promise<readonly string[]> {
    const names = await this.#desk.notes.names(this.#prefix, mostRuns);
    return names.map((name) => name.slice(this.#prefix.length));
  }
}

/** Without what is not there. */
function toJson(note: RunNote): Json {
  return JSON.parse(JSON.stringify(note)) as Json;
}
