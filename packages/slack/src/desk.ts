// What Slack asks of the house: whoever assembles them hands it in. A run is started or gone on with here, and read afterwards.

import type { AgentEvent, Clock, Fact, FilePart, Json, NoteStore, Outcome, SessionHead, Texts } from '@ai-agent/core';

export interface Desk {
  readonly clock: Clock;
  /** What has to outlive a process: it never fails. */
  readonly notes: NoteStore;
  /** Whether they outlive this process: then who comes after it goes on. */
  readonly keepsNotes: boolean;
  /** Whether nothing begins here any more. */
  readonly isStopping: boolean;
  /** Those that are served now, the first being the primary one. */
  agents(): readonly DeskAgent[];
  /** Throws what is wrong with it: `agent-unknown`, `session-unknown`, `session-busy`, `question-unknown`, `answer-invalid`, `too-many-requests`, `allowance-spent`, `server-full`, `server-stopping`. */
  begin(asked: DeskAsked): Promise<DeskRun>;
  /** How it stands; undefined for one that is not of Slack, or is gone. */
  find(session: string): Promise<SessionHead | undefined>;
  /** Everything told so far. */
  facts(head: SessionHead): Promise<readonly Fact[]>;
  /** All of it as programs read it: outcome, ledger, tree. */
  document(head: SessionHead): Promise<object>;
  /** Whether there was something to end: a run, here or on another server, or an open question. */
  end(session: string, wish: 'stop' | 'cancel'): Promise<boolean>;
}

export interface DeskAgent {
  readonly name: string;
  /** Media types that its model takes: `image/*`. @default none are known */
  readonly takesFiles?: readonly string[] | undefined;
  /** Its file. */
  readonly source?: string | undefined;
  /** What its model is told in our words. */
  readonly texts: Texts;
}

/** Who asks, in Slack's ids, and who hears it from the beginning. */
interface Asking {
  /** `T0123/U0123`: rates and allowances are counted by it. */
  readonly person: string;
  readonly onEvent: (event: AgentEvent) => void;
  /** Told at once when there is no place for it yet. */
  readonly onWait?: (() => void) | undefined;
}

/** A new session. */
export interface AskNew extends Asking {
  readonly agent: string;
  readonly prompt: string;
  readonly title?: string | undefined;
  readonly attachments?: readonly FilePart[] | undefined;
}

/** A further message to one that has ended; one that waits for an answer has it then. */
export interface AskFurther extends Asking {
  readonly session: string;
  readonly message: string;
  readonly attachments?: readonly FilePart[] | undefined;
}

/** The answer to what it asked in its round of this number, counted from 0. */
export interface AskAnswer extends Asking {
  readonly session: string;
  readonly answer: Json;
  readonly round: number;
}

/** A new session that does the last round of another again. */
export interface AskAgain extends Asking {
  readonly retry: string;
}

export type DeskAsked = AskNew | AskFurther | AskAnswer | AskAgain;

export interface DeskRun {
  readonly head: SessionHead;
  /** Rejects only when it never began. */
  readonly outcome: Promise<Outcome>;
}
