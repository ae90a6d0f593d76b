// A session that waits for an answer: a person is asked until the answer fits, and the session goes on, or the question is the result.

import type { SessionHead } from '@ai-agent/core';
import {
  AgentError,
  isAgentError,
  type Json,
  ledgerOf,
  messageOf,
  type Outcome,
  outcomeOf,
  type Question,
} from '@ai-agent/core';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Answering, Asked } from '../../asked.ts';
import { factsOf } from '../../facts-of.ts';
import type { Hall } from '../../hall.ts';
import { asWritable } from '../../parse-json.ts';
import { checkAgent, resume } from '../../resume.ts';
import { type AgentCall, callerOfCall, envelopeOf } from './agent-call.ts';
import { askByResult, askNow, canAskPerson, fieldWordsOf, type Returned, type Unanswered } from './person.ts';
import { toQuestionForm } from './question-form.ts';
import type { RequestState } from './request-state.ts';
import { addNote, toFailedResult, toResult } from './tool-result.ts';
import type { AgentAsTool } from './tools.ts';

/** A call under way. */
export interface Talk {
  readonly call: AgentCall;
  readonly tool: AgentAsTool;
  /** Who waits for it, and who hears of it. */
  readonly hearing: Hearing;
}

type Hearing = { readonly [K in 'signal' | 'onEvent' | 'onWait']: NonNullable<Asked[K]> };

/** The run goes on, or there is something to say. */
export type Step = { readonly answering: Answering } | { readonly result: CallToolResult | InputRequiredResult };

export interface OpenQuestion extends Pick<RequestState, 'sessionId' | 'answeredBefore'> {
  readonly question: Question;
  /** What the run came to that asked. */
  outcome(): Outcome | Promise<Outcome>;
}

/** A person who cannot say it in so many tries will not. */
export const mostTries = 5;

interface Asking {
  readonly tries: number;
  readonly complaint?: string | undefined;
}

export async function askPerson(talk: Talk, open: OpenQuestion, before: Asking = { tries: 0 }): Promise<Step> {
  const { call, hearing } = talk;
  if (!canAskPerson(call)) return leaveOpen(talk, open);
  let { tries, complaint } = before;
  for (; tries < mostTries; tries++) {
    const form = toQuestionForm(open.question, { ...fieldWordsOf(call), complaint });
    if (envelopeOf(call.context)) return { result: askByResult(form, { ...open, tries: tries + 1 }) };
    const taken = await take(talk, open, await askNow(call, form, hearing.signal));
    if (!('complaint' in taken)) return taken;
    complaint = taken.complaint;
  }
  return leaveOpen(talk, open, 'invalid', complaint);
}

/** What a client has come back with. Throws `session-unknown` and `question-unknown`. */
export async function takeReturned(talk: Talk, state: RequestState & { readonly returned: Returned }): Promise<Step> {
  const { sessionId, answeredBefore, tries } = state;
  const head = await ownHead(talk, sessionId);
  const { question } = head;
  if (!question || head.resumptions !== answeredBefore)
    throw new AgentError('question-unknown', 'This question was answered before, or is not open any more.');
  const open = { sessionId, answeredBefore, question, outcome: () => lastOutcome(talk.call.hall, head) };
  const taken = await take(talk, open, state.returned);
  return 'complaint' in taken ? askPerson(talk, open, { tries, complaint: taken.complaint }) : taken;
}

async function lastOutcome(hall: Hall, head: SessionHead): Promise<Outcome> {
  const facts = await factsOf(hall, head, hall.live(head.id));
  const outcome = outcomeOf(facts);
  if (outcome) return { ...outcome, usage: ledgerOf(facts).total };
  throw new AgentError('question-unknown', `What the session ${head.id} has asked is not kept any more.`);
}

/** An answer that came as arguments. Throws what `resume` throws. */
export async function takeAnswer(talk: Talk, sessionId: string, answer: Json): Promise<Step> {
  await ownHead(talk, sessionId);
  return { answering: await goOn(talk, { sessionId }, answer) };
}

/** A further message. Throws what `resume` throws, and `request-invalid` for sessions of other agents. */
export async function goOnWith(
  { call, tool, hearing }: Talk,
  sessionId: string,
  { prompt, ...asked }: Pick<Asked, 'prompt' | 'output'>,
): Promise<Step> {
  const { hall, guest } = call;
  checkAgent(await hall.session(sessionId, guest.visitor), tool.served.name);
  const said = { ...asked, message: prompt, visitor: guest.visitor, headend: 'mcp', above: callerOfCall(call) };
  return { answering: await resume(hall, sessionId, { ...said, ...hearing }) };
}

/** Throws `session-unknown`, also for sessions of other agents. */
async function ownHead({ call: { hall, guest }, tool: { served } }: Talk, sessionId: string): Promise<SessionHead> {
  const head = await hall.session(sessionId, guest.visitor);
  if (head.agent === served.name) return head;
  throw new AgentError('session-unknown', `There is no such session of ${served.name}.`);
}

async function take(
  talk: Talk,
  open: OpenQuestion,
  returned: Returned,
): Promise<Step | { readonly complaint: string }> {
  if ('unanswered' in returned) return leaveOpen(talk, open, returned.unanswered);
  const answer = toQuestionForm(open.question, fieldWordsOf(talk.call)).read(returned.content);
  if (answer === undefined) return { complaint: 'The form came back without an answer.' };
  try {
    return { answering: await goOn(talk, open, asWritable(answer)) };
  } catch (error) {
    if (isAgentError(error) && error.code === 'answer-invalid') return { complaint: messageOf(error) };
    // Somebody else was first.
    if (isAgentError(error) && error.code === 'question-unknown') throw error;
    return { result: await tellOpen(talk, open.sessionId, toFailedResult(talk.call.hall, error)) };
  }
}

/** A session that could not be gone on with asks still, and whoever has the answer can give it again. */
export async function tellOpen({ call }: Talk, sessionId: string, result: CallToolResult): Promise<CallToolResult> {
  const head = await call.hall.session(sessionId, call.guest.visitor).catch(() => undefined);
  if (!head?.question) return result;
  const how = `call this again with { "resume": "${sessionId}", "answer": … }`;
  return addNote(result, `The question stays open: ${how}.`, { sessionId, resume: sessionId });
}

function goOn(
  { call, hearing }: Talk,
  { sessionId, answeredBefore }: Partial<OpenQuestion> & Pick<OpenQuestion, 'sessionId'>,
  answer: Json,
): Promise<Answering> {
  const { hall, guest } = call;
  const above = callerOfCall(call);
  const going = { answeredBefore, visitor: guest.visitor, headend: 'mcp', above };
  return resume(hall, sessionId, { answer, ...going, ...hearing });
}

/** The question as the result; `why` nobody has answered it, when somebody was asked. */
async function leaveOpen({ tool }: Talk, open: OpenQuestion, why?: Unanswered, complaint = ''): Promise<Step> {
  const result = toResult({ tool, outcome: await open.outcome(), sessionId: open.sessionId });
  return {
    result: why === undefined ? result : addNote(result, `${said[why]} ${complaint}`.trim(), { unanswered: why }),
  };
}

const said: Readonly<Record<Unanswered, string>> = {
  declined: 'A person was asked at the client, and declined to answer: do not answer for them.',
  cancelled: 'A person was asked at the client, and left without an answer.',
  timeout: 'A person was asked at the client, and did not answer in time.',
  error: 'The client said that it can ask a person, and could not.',
  invalid: `A person was asked at the client ${mostTries} times, and no answer fitted.`,
};
