// Sessions that wait for an answer, or for results: everything that is needed to go on when it is there.

import type { Spent } from './budget.ts';
import type { ClientCall } from './client-calls.ts';
import { keptPauses } from './defaults.ts';
import { type Json, type JsonObject, sizeOf } from './json.ts';
import type { Message } from './message.ts';
import type { MissingCall } from './missing-call.ts';
import type { ModelReply } from './model.ts';
import type { Denials } from './place.ts';
import type { Question } from './question.ts';
import type { Step } from './step-kind.ts';
import type { Said } from './text-material.ts';
import type { ToolResult } from './tool-result.ts';

/** Plain data. */
export interface Paused {
  /** What it asks. Missing when it waits for results. */
  readonly question?: Question;
  /** What whoever asked runs, when that is what it waits for. */
  readonly calls?: readonly ClientCall[];
  readonly agentName: string;
  /** What a session below was called with. */
  readonly args: JsonObject;
  /** The conversation up to the reply that asked. */
  readonly messages: readonly Message[];
  readonly pending: PendingTurn;
  /** What the session had used of its budget. */
  readonly spent: Spent;
  /** What it was asked at first: from there on the conversation is its own. */
  readonly request?: Request;
  /** The children whose work was missing so far. Missing when there were none. */
  readonly missing?: readonly MissingCall[];
  /** What it was denied, by its own agent and from above: that holds for whoever goes on with it. Missing when nothing was. */
  readonly denials?: Denials;
}

/** What a session was asked, whatever it is told beside that. */
export interface Request {
  readonly text: string;
  /** What was said of it before, and told with it. @default nothing */
  readonly said?: readonly Said[];
  /** Which message of the conversation it is, counted from zero: those before are the history. */
  readonly at: number;
  /** Whether advisors were heard of it by a session before, and what they said is in it. @default false */
  readonly isAdvised?: boolean;
}

/** A turn that waits: the reply, what its calls have given so far, and which of them asks. */
export interface PendingTurn {
  readonly reply: ModelReply;
  /** By call index, counted from one; a session below that asks a person too has its turn later. */
  readonly done: Readonly<Record<number, ToolResult>>;
  /** What was answered so far to calls that have not run, by index. */
  readonly answers: Readonly<Record<number, Json>>;
  /** 0 when it waits for results. */
  readonly asking: number;
  /** What the session's kept children go on with, by tool. */
  readonly kept: Readonly<Record<string, { readonly sessionId: string; readonly messages: readonly Message[] }>>;
  /** The question of a session below, when that is who asks. */
  readonly below?: string;
  /** The step that it is, when the house took it. */
  readonly step?: Step;
}

export interface PauseStore {
  put(handle: string, paused: Paused): void | Promise<void>;
  get(handle: string): Paused | undefined | Promise<Paused | undefined>;
  /** Whether it was there: of two who answer at once, one comes too late. */
  delete(handle: string): boolean | Promise<boolean>;
}

/** In memory, bounded in number and size: when it is full, the oldest go; the last is kept whatever it comes to. */
export class MemoryPauses implements PauseStore {
  readonly #kept = new Map<string, { readonly paused: Paused; readonly bytes: number }>();
  readonly #max: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(max: number = keptPauses.sessions, maxBytes: number = keptPauses.bytes) {
    this.#max = max;
    this.#maxBytes = maxBytes;
  }

  put(handle: string, paused: Paused): void {
    this.delete(handle);
    const bytes = sizeOf(paused);
    this.#kept.set(handle, { paused, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      const fits = this.#kept.size <= this.#max && this.#bytes <= this.#maxBytes;
      if (fits || oldest === handle) return;
      this.delete(oldest);
    }
  }

  get(handle: string): Paused | undefined {
    return this.#kept.get(handle)?.paused;
  }

  delete(handle: string): boolean {
    this.#bytes -= this.#kept.get(handle)?.bytes ?? 0;
    return this.#kept.delete(handle);
  }
}
