// Goes on with a session that waits, when somebody has answered it or run its calls: under the same id, as a run of its own.

import {
  AgentError,
  type ClientAnswer,
  isObject,
  type Json,
  type JsonObject,
  type Question,
  readAnswer,
} from '@ai-agent/core';
import type { Answering, Asked } from './asked.ts';
import { boundClientSchema } from './client-schema.ts';
import type { Hall } from './hall.ts';
import { LiveSession, withoutEnd } from './live-session.ts';
import { type SessionHead, takesTime } from './session-store.ts';
import { start } from './start.ts';

export type Resumed = Going & (Answered | Returned);

interface Answered {
  readonly answer: Json;
}

/** What came of the calls that whoever asked has run. */
interface Returned {
  readonly results: ClientAnswer;
}

interface Going
  extends Pick<Asked, 'visitor' | 'signal' | 'onEvent' | 'onFact' | 'onWait' | 'above' | 'instructions' | 'tools'> {
  /** Which question it is for: that of a session which was gone on with so often. @default whichever it asks now */
  readonly answeredBefore?: number | undefined;
}

/**
 * Goes on with a session that waits for an answer, or for results. Throws `session-unknown`; `question-unknown`, also for who comes
 * second, and when too many questions were asked since; `answer-invalid`, which leaves the question open.
 */
export function resume(hall: Hall, id: string, resumed: Resumed): Promise<Answering> {
  return hall.alone(id, async () => {
    const { visitor } = resumed;
    const ending = hall.live(id);
    if (ending?.head.owner === visitor.key && ending.head.endedAt !== undefined) await ending.whenOver();
    // Where the answer is there at once, nobody can step in between looking and doing.
    const found = hall.find(id, visitor);
    const head = found instanceof Promise ? await found : found;
    const { resume: handle } = head;
    const prompt = toPrompt(head, resumed);
    if (hall.live(id) || isForAnother(head, resumed) || !prompt || handle === undefined)
      throw new AgentError('question-unknown', `The session ${id} waits for no answer.`);
    const served = hall.agent(head.agent, visitor);
    const given = prompt();
    const kept = hall.pausesOf(served)?.get(handle);
    const paused = takesTime(kept) ? await kept : kept;
    if (!paused) throw forgotten(id);
    const resumptions = head.resumptions + 1;
    const live = new LiveSession({ ...withoutEnd(head), status: 'queued', resumptions }, hall);
    const { agent, headend, budget, output } = head;
    const asked = { ...resumed, agent, prompt: given, headend, budget, ...(output ? { output } : {}) };
    return start(hall, { ...asked, served, sessionId: `${id}-${resumptions + 1}`, before: head, paused }, live);
  });
}

function isForAnother({ resumptions }: SessionHead, { answeredBefore = resumptions }: Resumed): boolean {
  return answeredBefore !== resumptions;
}

/** Nothing when it is not what the session waits for. */
function toPrompt({ question, calls }: SessionHead, resumed: Resumed): (() => string | JsonObject) | undefined {
  if ('results' in resumed) return calls && (() => resumed.results as unknown as JsonObject);
  return question && (() => readPrompt(question, resumed.answer));
}

/** Text and objects are what a run is given; the rest is read from its JSON again. Throws `answer-invalid`. */
function readPrompt(question: Question, answered: Json): string | JsonObject {
  // Its form is a model's, who may have it from whoever answers now.
  if (question.schema) boundClientSchema(question.schema);
  checkSaid(question, answered);
  const answer = readAnswer(question, answered);
  return typeof answer === 'string' || isObject(answer) ? answer : JSON.stringify(answer);
}

/** Nothing is an answer only where the question says so. */
function checkSaid({ type, text, schema, choices }: Question, answer: Json): void {
  const isEmpty = typeof answer === 'string' && answer.trim() === '';
  if (isEmpty && type === 'question' && !schema && !choices)
    throw new AgentError('answer-invalid', `The answer to "${text}" is empty.`);
}

function forgotten(id: string): AgentError {
  const message = `What the session ${id} had done when it asked is not kept any more, so it cannot be gone on with.`;
  return new AgentError('question-unknown', message, { remedy: 'Ask again from the beginning, in a new session.' });
}
