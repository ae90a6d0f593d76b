// A door into the house, whatever its protocol: what every headend must be able to do, in words of none of them.

import type { Agent, FailureClass, Json, JsonObject, JsonSchema } from '@ai-agent/core';
import { expect, test } from 'vitest';

export interface Door {
  readonly name: string;
  /** What its protocol has no way to say, and why: the reason stands in the name of the test that would have shown it. */
  readonly cannot?: Readonly<Partial<Record<Ability, string>>>;
  /** A server of its own with these agents, and a client in front of it. */
  open(agents: readonly Agent[]): Promise<OpenDoor>;
}

export type Ability =
  | 'take JSON'
  | 'ask for a schema'
  | 'stream'
  | 'name the limit'
  | 'ask back'
  | 'refuse an answer'
  | 'name the class of a failure'
  | 'refuse what is no input'
  | 'cancel'
  | 'disconnect';

export interface OpenDoor {
  /** Asks, and waits for the answer. */
  ask(request: Request): Promise<Answered>;
  /** Asks, and reads the answer as it is written. */
  stream(request: Request): Promise<Streamed>;
  /** Asks, and does something else meanwhile. */
  begin(request: Request, how: 'ask' | 'stream'): Begun;
  /** Answers what was asked back. */
  answer(open: Answered, answer: Json): Promise<Answered>;
  close(): Promise<void>;
}

export interface Request {
  readonly agent: string;
  readonly input: string | JsonObject;
  /** Asks an agent that has no JSON contract for JSON. */
  readonly schema?: JsonSchema;
}

/** What a client learns, in words of no protocol. */
export interface Answered {
  readonly status: 'completed' | 'partial' | 'needs_user_input' | 'failed' | 'cancelled';
  /** What the agent said; empty for a question and a failure. */
  readonly text: string;
  readonly report?: Json;
  readonly limit?: string;
  /** As it is shown to a person, with what there is to choose from. */
  readonly question?: string;
  readonly failure?: { readonly class: FailureClass; readonly message: string; readonly remedy: string };
  /** With which an open question is answered. */
  readonly sessionId: string;
}

export interface Streamed {
  /** The text as it came; what was taken back is not among it. */
  readonly pieces: readonly string[];
  readonly answered: Answered;
}

export interface Begun {
  /** Never settles, or rejects, for who has left. */
  readonly answered: Promise<Answered>;
  /** The client goes away. */
  leave(): void;
  /** Ends the run and stays. */
  cancel(): Promise<void>;
}

/** One thing that every door keeps, but for those that have said why they cannot. */
export function promise(door: Door, needs: readonly Ability[], title: string, show: () => Promise<void>): void {
  const reasons = needs.flatMap((ability) => door.cannot?.[ability] ?? []);
  if (reasons.length === 0) test(title, show);
  // Not hidden: whoever reads the list of tests sees what this protocol cannot do.
  else test(`${title} (not here: ${reasons.join('; ')})`, () => expect(reasons.join()).toMatch(/\w+ \w+ \w+/));
}
