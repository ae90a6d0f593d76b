// The rounds of a talk: what was said, and what came of it.

import { type Fact, type Outcome, outcomeOf, type SessionHead, type UserMessage } from '@ai-agent/core';

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
  const start = facts.find((fact) => fact.type === 'session-start' && fact.trace.parentId === null);
  const messages = start?.type === 'session-start' ? start.messages : [];
  const said = messages.findLast((message): message is UserMessage => message.role === 'user');
  return { said: said ? wordsOf(said) : '', outcome: outcomeOf(facts) };
}

function wordsOf({ content }: UserMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** The answer as people read it: data set out in lines. */
export function answerOf({ report, text }: Pick<Outcome, 'report' | 'text'>): string {
  return report === undefined || typeof report === 'string' ? text : JSON.stringify(report, null, 2);
}
