// The rounds of a talk: what was said, and what came of it.

import { type Fact, type Outcome, outcomeOf, type SessionHead } from '@ai-agent/core';
import { askedIn } from '../../asked-in.ts';

export interface Round {
  readonly said: string;
  /** Undefined where it was interrupted: its process was gone before. */
  readonly outcome: Outcome | undefined;
}

/** Those that were kept, in their order. */
export function readRounds({ draft }: SessionHead, facts: readonly Fact[]): readonly Round[] {
  const rounds = [...Map.groupBy(facts, ({ trace }) => trace.originId).values()].map(toRound);
  const last = rounds.at(-1);
  if (!last?.outcome || draft === undefined) return rounds;
  return [...rounds.slice(0, -1), { ...last, outcome: { ...last.outcome, text: draft } }];
}

function toRound(facts: readonly Fact[]): Round {
  return { said: askedIn(facts).said, outcome: outcomeOf(facts) };
}

/** The answer as people read it: data set out in lines. */
export function answerOf({ report, text }: Pick<Outcome, 'report' | 'text'>): string {
  return report === undefined || typeof report === 'string' ? text : JSON.stringify(report, null, 2);
}
