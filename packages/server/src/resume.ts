// Goes on with a session, when somebody has answered it, run its calls, or said something further: under the same id, as a run of its own.

import {
  AgentError,
  type ClientAnswer,
  continuationOf,
  forgotten,
  isObject,
  isUnderWay,
  type Json,
  type JsonObject,
  nextHead,
  type Question,
  readAnswer,
  roundIdOf,
  type SessionHead,
  takesTime,
  withUsage,
} from '@ai-agent/core';
import type { Answering, Asked, Starting } from './asked.ts';
import { boundClientSchema } from './client-schema.ts';
import { type Hall, isOf } from './hall.ts';
import { LiveSession } from './live-session.ts';
import { start } from './start.ts';
import type { Visitor } from './visitor.ts';

export type Resumed = Going & (Answered | Returned | Said);

interface Answered {
  readonly answer: Json;
}

/** What came of the calls that whoever asked has run. */
interface Returned {
  readonly results: ClientAnswer;
}

/** A further message: one that waits for an answer has it then. */
interface Said extends Pick<Asked, 'attachments' | 'budget' | 'output' | 'history'> {
  readonly message: string | JsonObject;
}

interface Going
  extends Pick<Asked, 'visitor' | 'signal' | 'onEvent' | 'onFact' | 'onWait' | 'above' | 'instructions' | 'tools'> {
  /** Whose places it takes. @default those of the headend that it came through */
  readonly headend?: string | undefined;
  /** Which question it is for: that of a session which was gone on with so often. @default whichever it asks now */
  readonly answeredBefore?: number | undefined;
}

/**
 * Goes on with a session. Throws `session-unknown`; `session-busy`, while it runs; where it is to wait for an answer or for results,
 * `question-unknown`, also for who comes second, and when too many questions were asked since; `answer-invalid`, which leaves
 * the question open.
 */
export function resume(hall: Hall, id: string, resumed: Resumed): Promise<Answering> {
  return hall.alone(id, async () => {
    const { visitor } = resumed;
    const ending = hall.live(id);
    if (ending && isOf(ending.head, visitor) && ending.head.endedAt !== undefined) await ending.whenOver();
    // Where the answer is there at once, nobody can step in between looking and doing.
    const found = hall.find(id, visitor);
    const head = found instanceof Promise ? await found : found;
    const served = hall.agent(head.agent, visitor);
    checkLeave(head, visitor);
    const course =
      'message' in resumed ? await fromMessage(hall, head, resumed) : await fromAnswer(hall, head, resumed);
    const wanted = { ...pick(head), ...('message' in resumed ? pick(resumed) : {}) };
    const next: SessionHead = { ...nextHead(await withUsage(hall.store, head), 'queued'), ...wanted };
    const claimed = hall.store.claim(next);
    const isOurs = takesTime(claimed) ? await claimed : claimed;
    if (!isOurs) throw busy(id);
    const { agent } = head;
    const { headend = head.headend } = resumed;
    const asked = { ...resumed, ...wanted, ...course, agent, headend };
    const live = new LiveSession(next, hall);
    try {
      return start(hall, { ...asked, served, sessionId: roundIdOf(next), before: head }, live);
    } catch (error) {
      await giveBack(hall, head);
      throw error;
    }
  });
}

/** As it was. A store that fails is given it later. */
async function giveBack({ store, onBug }: Hall, head: SessionHead): Promise<void> {
  try {
    await store.put(head);
  } catch (error) {
    onBug(error);
  }
}

/** What is said now holds in the place of what was said before. */
function pick({ budget, output }: Pick<Asked, 'budget' | 'output'>): Pick<SessionHead, 'budget' | 'output'> {
  return { ...(budget ? { budget } : {}), ...(output ? { output } : {}) };
}

/** Only the agent itself goes on with what it has said. Throws `request-invalid`. */
export function checkAgent({ id, agent }: SessionHead, name: string): void {
  if (agent === name) return;
  throw new AgentError(
    'request-invalid',
    `The session ${id} is one of ${agent}, and ${name} was asked to go on with it.`,
    {
      remedy: `Ask ${agent}, or begin a new session.`,
    },
  );
}

/** What a run is given to go on. */
type Course = Pick<Starting, 'prompt' | 'history' | 'continues' | 'paused' | 'handle'>;

async function fromAnswer(hall: Hall, head: SessionHead, resumed: Going & (Answered | Returned)): Promise<Course> {
  const { id, resume: handle, agent } = head;
  const prompt = toPrompt(head, resumed);
  if (hall.live(id) || isForAnother(head, resumed) || !prompt || handle === undefined)
    throw new AgentError('question-unknown', `The session ${id} waits for no answer.`, {
      remedy:
        'Read the session to see how it stands: each question is answered once; then it can be sent a further message.',
    });
  const given = prompt();
  const kept = hall.pausesOf(hall.servedAs(agent))?.get(handle);
  const paused = takesTime(kept) ? await kept : kept;
  if (!paused) throw forgotten(id);
  return { prompt: given, paused, handle };
}

/** Whoever was asked has answered with it; otherwise it is said after all that was said before. */
async function fromMessage(hall: Hall, head: SessionHead, said: Going & Said): Promise<Course> {
  const { id, question, agent } = head;
  if (hall.live(id) || isUnderWay(head)) throw busy(id);
  if (question) return fromAnswer(hall, head, { ...said, answer: said.message });
  const before = await continuationOf(hall.store, head, hall.servedAs(agent)?.agent.texts);
  return { ...before, prompt: said.message, history: [...before.history, ...(said.history ?? [])] };
}

function isForAnother({ resumptions }: SessionHead, { answeredBefore = resumptions }: Going): boolean {
  return answeredBefore !== resumptions;
}

/** Nothing when it is not what the session waits for. */
function toPrompt(
  { question, calls }: SessionHead,
  resumed: Answered | Returned,
): (() => string | JsonObject) | undefined {
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

/** What has to be allowed is never allowed by a stranger. Throws `key-limited`. */
function checkLeave({ question }: SessionHead, { isOfPage = false }: Visitor): void {
  if (!isOfPage || question?.type !== 'approval') return;
  throw new AgentError('key-limited', 'It waits for leave, which visitors of a page cannot give.', {
    remedy: 'Begin a new session; an agent for pages should have no tools that need leave.',
  });
}

function busy(id: string): AgentError {
  return new AgentError('session-busy', `The session ${id} is at work.`);
}
