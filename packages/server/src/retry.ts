// Does again what another session did, from one of its turns on: a new session with the conversation until there. The other is left alone.

import {
  AgentError,
  type FilePart,
  type JsonObject,
  type Message,
  type Prefix,
  type Prefixes,
  prefixesOf,
  roundIdOf,
  type SessionHead,
} from '@ai-agent/core';
import { answer } from './answer.ts';
import type { Answering, Asked } from './asked.ts';
import { factsOf } from './facts-of.ts';
import type { Hall } from './hall.ts';

/** From where. */
export interface Retry {
  readonly session: string;
  /** Counted from one. @default the last */
  readonly round?: number;
  /** Counted from one in its round. @default the first that asked the model */
  readonly turn?: number;
}

export interface Retried extends Omit<Asked, 'prompt' | 'agent'> {
  readonly retry: Retry;
  /** In place of what the round was asked: then it begins there. @default what it was asked */
  readonly input?: string | JsonObject | undefined;
}

/** Throws `session-unknown`, `request-invalid` where there is no such turn, and what starting a session throws. */
export async function retry(hall: Hall, { retry: from, input, attachments, ...asked }: Retried): Promise<Answering> {
  const found = await hall.session(from.session, asked.visitor);
  const live = hall.live(from.session);
  const head = live?.head ?? found;
  const round = readRound(head, from.round);
  const facts = await factsOf(hall, head, live);
  const originId = roundIdOf({ id: head.id, resumptions: round - 1 });
  const prefixes = prefixesOf(facts.filter((fact) => fact.trace.originId === originId));
  const { turn, prefix } = readTurn(prefixes, round, from.turn);
  const given =
    input === undefined ? { prompt: '', ...prefix } : asksAnew(prefixes, { round, turn, input, attachments });
  const { agent, title } = head;
  const { budget = head.budget, output = head.output } = asked;
  return answer(hall, {
    ...asked,
    ...given,
    agent,
    ...(budget ? { budget } : {}),
    ...(output ? { output } : {}),
    // What was asked first is another now.
    title: round === 1 && input !== undefined ? undefined : title,
    retryOf: { session: head.id, round, turn },
  });
}

function readRound({ resumptions }: SessionHead, round = resumptions + 1): number {
  if (round <= resumptions + 1) return round;
  throw new AgentError(
    'request-invalid',
    `retry.round is ${round}, and this session has had ${count(resumptions + 1, 'round')}.`,
  );
}

function readTurn({ turns }: Prefixes, round: number, wanted?: number): { turn: number; prefix: Prefix } {
  const [first] = turns.keys();
  const turn = wanted ?? first ?? 1;
  const prefix = turns.get(turn);
  if (prefix) return { turn, prefix };
  const last = [...turns.keys()].at(-1);
  if (first === undefined || last === undefined)
    throw new AgentError(
      'request-invalid',
      `Round ${round} of this session never asked the model: it has no turn to retry.`,
    );
  const from = first === 1 ? '' : `; it went on from an answer, and asked the model from turn ${first} on`;
  throw new AgentError(
    'request-invalid',
    `retry.turn is ${turn}, and round ${round} has had ${count(last, 'turn')}${from}.`,
  );
}

interface Anew {
  readonly round: number;
  readonly turn: number;
  readonly input: string | JsonObject;
  readonly attachments: readonly FilePart[] | undefined;
}

/** What came with the words that are replaced stays, unless other files are given. */
function asksAnew(
  { asked, turns }: Prefixes,
  { round, turn, input, attachments }: Anew,
): Pick<Asked, 'prompt' | 'history' | 'attachments'> {
  if (turn !== turns.keys().next().value)
    throw new AgentError(
      'request-invalid',
      'input takes the place of what a round was asked: it goes with its first turn alone.',
    );
  const prompt = asked?.at(-1);
  if (!asked || !prompt)
    throw new AgentError(
      'request-invalid',
      `Round ${round} did not begin with a prompt: input has nothing to take the place of.`,
    );
  const files = attachments ?? filesOf(prompt);
  return { prompt: input, history: asked.slice(0, -1), ...(files.length > 0 ? { attachments: files } : {}) };
}

function filesOf(message: Message): readonly FilePart[] {
  return message.role === 'user' ? message.content.filter((part) => part.type === 'file') : [];
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
