// Where runs are shown, kept as notes while they are at work or untold: who finds one whose process is gone tells what became of it.

import { isObject, type Json } from '@ai-agent/core';
import type { Desk } from '../desk.ts';
import type { Thread, ThreadNote } from './threads.ts';

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
  /** What was known of the thread before it: so it is again where it never began. @default nothing was */
  readonly before?: ThreadNote | undefined;
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

  /** By the id of its session, or the name that it has since it was set aside. */
  async get(name: string): Promise<RunNote | undefined> {
    const note = await this.#desk.notes.get(this.#prefix + name);
    return isObject(note) ? (note as unknown as RunNote) : undefined;
  }

  async put(name: string, note: RunNote): Promise<void> {
    const { notes, clock } = this.#desk;
    await notes.put(this.#prefix + name, toJson(note), clock.now() + runMs);
  }

  async delete(name: string): Promise<void> {
    await this.#desk.notes.delete(this.#prefix + name);
  }

  /** What is still to be told of a round before this one: its session has another now. */
  async setAside(session: string, round: number): Promise<void> {
    const note = await this.get(session);
    if (!note || note.round < 0 || note.round === round) return;
    await this.put(`${session}/${note.round}`, note);
    await this.delete(session);
  }

  /** Those that there are. */
  async names(): Promise<readonly string[]> {
    const names = await this.#desk.notes.names(this.#prefix, mostRuns);
    return names.map((name) => name.slice(this.#prefix.length));
  }
}

/** Which session a note is about, by its name. */
export function sessionOf(name: string): string {
  return name.split('/')[0] ?? name;
}

/** Without what is not there. */
function toJson(note: RunNote): Json {
  return JSON.parse(JSON.stringify(note)) as Json;
}
