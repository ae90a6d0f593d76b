// A session that waits for an answer: a person is asked until the answer fits, and the session goes on, or the question is the result.

import { AgentError, isAgentError, type Json, messageOf, type Outcome, outcomeOf, type Question } from '@ai-agent/core';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Answering } from '../../asked.ts';
import { factsOf } from '../../facts-of.ts';
import type { Follower } from '../../live-session.ts';
import { asWritable } from '../../parse-json.ts';
import { resume } from '../../resume.ts';
import type { SessionHead } from '../../session-store.ts';
import { type AgentCall, envelopeOf } from './agent-call.ts';
import { askByResult, askNow, canAskPerson, type Returned, wordsOf } from './person.ts';
import { toQuestionForm } from './question-form.ts';
import type { RequestState } from './request-state.ts';
import { addNote, toFailedResult, toResult } from './tool-result.ts';
import type { AgentAsTool } from './tools.ts';

/** A call under way. */
export interface Talk {
  readonly call: AgentCall;
  readonly tool: AgentAsTool;
  /** Who waits for it, and who hears of it. */
  readonly hearing: { readonly signal: AbortSignal; readonly onEvent: Follower };
}

/** The run goes on, or there is something to say. */
export type Step = { readonly answering: Answering } | { readonly result: CallToolResult | InputRequiredResult };

export interface OpenQuestion extends Pick<RequestState, 'sessionId' | 'answeredBefore'> {
  readonly question: Question;
  readonly outcome: Outcome;
}

/** A person who cannot say it in so many tries will not. */
const mostTries = 5;

interface Asking {
  readonly tries: number;
  readonly complaint?: string | undefined;
}

export async function askPerson(talk: Talk, open: OpenQuestion, before: Asking = { tries: 0 }): Promise<Step> {
  const { call, hearing } = talk;
  if (!canAskPerson(call)) return leaveOpen(talk, open);
  let { tries, complaint } = before;
  for (; tries < mostTries; tries++) {
    const form = toQuestionForm(open.question, { ...wordsOf(call), complaint });
    if (envelopeOf(call.context)) return { result: askByResult(form, { ...open, tries: tries + 1 }) };
    const taken = await take(talk, open, await askNow(call, form, hearing.signal));
    if (!('complaint' in taken)) return taken;
    complaint = taken.complaint;
  }
  return leaveOpen(talk, open, `The person at the client was asked ${tries} times. ${complaint ?? ''}`);
}

/** What a client has come back with. Throws `session-unknown` and `question-unknown`. */
export async function takeReturned(talk: Talk, state: RequestState & { readonly returned: Returned }): Promise<Step> {
  const { hall } = talk.call;
  const { sessionId, answeredBefore, tries } = state;
  const head = await ownHead(talk, sessionId);
  const { question } = head;
  if (!question || head.resumptions !== answeredBefore)
    throw new AgentError('question-unknown', 'This question was answered before, or is not open any more.');
  const outcome = outcomeOf(await factsOf(hall, head, hall.live(sessionId)));
  if (outcome?.status !== 'needs_user_input')
    throw new AgentError('question-unknown', `The session ${sessionId} waits for no answer.`);
  const open = { sessionId, answeredBefore, question, outcome };
  const taken = await take(talk, open, state.returned);
  return 'complaint' in taken ? askPerson(talk, open, { tries, complaint: taken.complaint }) : taken;
}

/** An answer that came as arguments. Throws what `resume` throws. */
export async function takeAnswer(talk: Talk, sessionId: string, answer: Json): Promise<Step> {
  await ownHead(talk, sessionId);
  return { answering: await goOn(talk, { sessionId }, answer) };
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
  const answer = toQuestionForm(open.question, wordsOf(talk.call)).read(returned.content);
  if (answer === undefined) return { complaint: 'The form came back without an answer.' };
  try {
    return { answering: await goOn(talk, open, asWritable(answer)) };
  } catch (error) {
    if (isAgentError(error) && error.code === 'answer-invalid') return { complaint: messageOf(error) };
    // The answer is gone, but the question is not.
    const result = toFailedResult(talk.call.hall, error);
    return { result: addNote(result, howToAnswer(open), { sessionId: open.sessionId, resume: open.sessionId }) };
  }
}

function goOn(
  { call: { hall, guest, context }, hearing }: Talk,
  { sessionId, answeredBefore }: Partial<OpenQuestion> & Pick<OpenQuestion, 'sessionId'>,
  answer: Json,
): Promise<Answering> {
  const above = guest.callerOf?.(context.http?.req);
  return resume(hall, sessionId, { answer, answeredBefore, visitor: guest.visitor, above, ...hearing });
}

/** The question as the result; `why` nobody has answered it, when somebody was asked. */
function leaveOpen({ tool }: Talk, { outcome, sessionId }: OpenQuestion, why?: string): Step {
  const result = toResult({ tool, outcome, sessionId });
  return { result: why === undefined ? result : addNote(result, why) };
}

function howToAnswer({ sessionId }: OpenQuestion): string {
  return `The question may still be open: answer it by calling this again with { "resume": "${sessionId}", "answer": … }.`;
}
