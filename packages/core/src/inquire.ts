// Before the work of a turn: whatever somebody has to answer first. All of it is asked at once, or the session ends with the question.

import type { ClientAnswer, ClientCall, ClientResult } from './client-calls.ts';
import type { Failure } from './errors.ts';
import { isObject, type Json } from './json.ts';
import type { Inquiry } from './middleware.ts';
import type { ModelReply } from './model.ts';
import type { MessageOperation, Settled } from './operation.ts';
import type { PendingTurn } from './pauses.ts';
import { type Approval, answerText, denied, type Question } from './question.ts';
import type { Resumed, SessionState } from './state.ts';
import { type ToldCall, tellAnswer, tellQuestion } from './tool-facts.ts';
import { shownName } from './tool-names.ts';
import { type CallEnd, type ToolResult, toResultPart } from './tool-result.ts';

/** A call past the door: it has a plan, and perhaps the reason why it is not run, or what has to be asked, or its answer. */
export interface Call extends ToldCall, Partial<Inquiry> {
  readonly refused?: Failure;
  readonly answered?: CallEnd;
}

/** The session waits: this is what it waits for. */
export type Waiting = Asked | HandedOut;

export interface Asked {
  readonly question: Question;
}

/** Calls for whoever asked to run. */
export interface HandedOut {
  readonly calls: readonly ClientCall[];
}

export async function inquire(
  state: SessionState,
  arrived: readonly Call[],
  reply: ModelReply,
  resumed: Resumed | undefined,
): Promise<{ readonly calls: readonly Call[] } | Asked> {
  const now = state.parts.facts.now;
  const calls = resumed ? arrived.map((call) => goOn(call, resumed, now)) : arrived;
  if (resumed) tellLate(state, arrived, resumed);
  const open = calls.filter((call) => call.inquiry && !call.refused && !call.answered);
  if (open.length === 0) return { calls };
  const unshown = open.find(({ inquiry }) => !isShown(state, inquiry));
  if (unshown?.inquiry) {
    const question = toQuestion(state, unshown, state.parts.place.id);
    return pause(state, { reply, resumed, asking: unshown.index, question });
  }
  const asked = await askAll(state, open);
  const left = asked.find(({ end }) => !end.ok && end.failure.code === 'question-left');
  if (left) {
    const question = toQuestion(state, left.call, state.parts.place.id);
    return pause(state, { reply, resumed, asking: left.call.index, question, answers: answersIn(asked) });
  }
  const answers = new Map(asked.map(({ call, end }) => [call.index, withAnswer(call, end)]));
  return { calls: calls.map((call) => answers.get(call.index) ?? call) };
}

/** A question of a session below that only a person may answer is this session's question too. */
export function askedBelow(
  state: SessionState,
  called: readonly Done[],
  reply: ModelReply,
  resumed: Resumed | undefined,
): Asked | undefined {
  if (!resumed && !called.some(({ result }) => asksPerson(result))) return undefined;
  // A session that is told to stop does not wait for anybody.
  if (called.some(({ result }) => result.failure?.code === 'stopped')) return undefined;
  const results: Record<number, ToolResult> = { ...resumed?.pending.done };
  for (const { index, result } of called) results[index] = result;
  const asking = Object.keys(results)
    .map(Number)
    .find((index) => asksPerson(results[index]));
  const question = asking === undefined ? undefined : results[asking]?.session?.question;
  if (asking === undefined || !question) return undefined;
  // Whoever else asks waits for its turn: nothing of it is shown to the model, which could answer in a person's place.
  const done = called.filter(({ part, result }) => part.batch === undefined && !asksPerson(result));
  const { transcript, place } = state.parts;
  if (done.length > 0 && !state.step) transcript.addResults(done.map(toResultPart));
  const { [asking]: _asking, ...others } = results;
  const own = { ...question, handle: place.id };
  return pause(state, { reply, resumed, asking, question: own, below: question.handle, done: others });
}

function asksPerson(result: ToolResult | undefined): boolean {
  return result?.session?.question?.to === 'person';
}

/** What is run elsewhere waits until everything else of its turn is done. */
export function handOut(
  state: SessionState,
  clients: readonly Call[],
  called: readonly Done[],
  { reply, resumed }: Pick<Pausing, 'reply' | 'resumed'>,
): HandedOut {
  const { transcript } = state.parts;
  const results: Record<number, ToolResult> = { ...resumed?.pending.done };
  for (const { index, result } of called) results[index] = result;
  const said = called.filter(({ part }) => part.batch === undefined);
  if (said.length > 0) transcript.addResults(said.map(toResultPart));
  keep(state, { reply, resumed, asking: 0, done: results });
  return { calls: clients.map(toClientCall) };
}

function toClientCall({ part: { id, name, input }, tool }: Call): ClientCall {
  return { id, name: tool?.label ?? name, input: input.trim() === '' ? '{}' : input };
}

/** A call and what came of it. */
export interface Done {
  readonly index: number;
  readonly part: ToldCall['part'];
  readonly result: ToolResult;
  readonly latencyMs: number;
}

interface Pausing extends Kept {
  readonly question: Question;
}

interface Kept {
  readonly reply: ModelReply;
  readonly resumed: Resumed | undefined;
  readonly asking: number;
  readonly below?: string;
  /** @default what was done before */
  readonly done?: PendingTurn['done'];
  /** What others that were asked at the same time have answered. @default nothing */
  readonly answers?: PendingTurn['answers'];
}

function pause(state: SessionState, { question, ...kept }: Pausing): Asked {
  keep(state, kept);
  return { question };
}

function keep(state: SessionState, { reply, resumed, asking, below, done, answers }: Kept): void {
  state.paused = {
    reply,
    asking,
    done: done ?? resumed?.pending.done ?? {},
    answers: { ...(resumed ? answersOf(resumed) : {}), ...answers },
    kept: state.keptConversations(),
    ...(below === undefined ? {} : { below }),
    ...(state.step ? { step: state.step } : {}),
  };
}

/** To calls of this session itself; the answer for one below is handed down. */
function answersOf({ pending, answer, calls }: Resumed): PendingTurn['answers'] {
  return pending.below === undefined && !calls ? { ...pending.answers, [pending.asking]: answer } : pending.answers;
}

/** Whether somebody sees the question while the session runs: who called the root is a person. */
function isShown({ parts: { opened, place } }: SessionState, inquiry: Inquiry['inquiry'] | undefined): boolean {
  return opened.isAttended && (inquiry?.to === 'person' || place.depth === 0);
}

/** A call that asked, and what came of that. */
interface Answered {
  readonly call: Call;
  readonly end: Settled<unknown>;
}

async function askAll(state: SessionState, open: readonly Call[]): Promise<readonly Answered[]> {
  const { runtime, place, facts } = state.parts;
  const asked = open.map((call) => {
    const name = `turn.${state.turn}.message.${call.index}`;
    const operation: MessageOperation = {
      type: 'message',
      name,
      question: toQuestion(state, call, `${place.id}/${name}`),
    };
    tellQuestion(state, call, operation);
    return { call, operation };
  });
  const operations = asked.map(({ operation }) => operation);
  const settled = await runtime.all(operations, { limit: operations.length });
  return asked.flatMap(({ call, operation }, i) => {
    const end = settled[i];
    if (!end) return [];
    facts.advance(end.endedAt);
    tellAnswer(state, call, operation, end);
    return [{ call, end }];
  });
}

function withAnswer(call: Call, end: Settled<unknown>): Call {
  if (!end.ok) return { ...call, refused: end.failure };
  return answer(call, end.value as Json, { startedAt: end.startedAt, endedAt: end.endedAt });
}

function answersIn(asked: readonly Answered[]): PendingTurn['answers'] {
  return Object.fromEntries(asked.flatMap(({ call, end }) => (end.ok ? [[call.index, end.value as Json]] : [])));
}

/** The answer came while there was no session: it is told where it is used, and once. What was answered before it was told then. */
function tellLate(state: SessionState, calls: readonly Call[], { question, pending, answer }: Resumed): void {
  const call = calls.find(({ index }) => index === pending.asking);
  if (!question || !call || pending.below !== undefined) return;
  const { place, facts } = state.parts;
  const name = `turn.${state.turn}.message.${call.index}`;
  const asked = { ...question, handle: `${place.id}/${name}`, sessionId: place.id };
  const operation = { type: 'message', name, question: asked } as const;
  tellQuestion(state, call, operation);
  tellAnswer(state, call, operation, { ok: true, value: answer, startedAt: facts.now, endedAt: facts.now });
}

/** A call that asked, with the answer its session went away for. */
function goOn(call: Call, resumed: Resumed, at: number): Call {
  const { pending } = resumed;
  if (resumed.calls) {
    const { results } = resumed.answer as unknown as ClientAnswer;
    const given = results.find(({ id }) => id === call.part.id);
    if (given) return withResult(call, given, at);
  }
  if (pending.below === undefined || call.index !== pending.asking) {
    const given = answersOf(resumed)[call.index];
    return given === undefined ? call : answer(call, given, { startedAt: at, endedAt: at });
  }
  const { inquiry: _settled, plan, ...rest } = call;
  const answered = { handle: pending.below, answer: resumed.answer };
  return plan ? { ...rest, plan: { ...plan, call: { ...plan.call, answered } } } : rest;
}

/** It was let pass when it was handed out: what has come of it stands, whatever is offered now. */
function withResult(call: Call, { text, isError = false, files }: ClientResult, at: number): Call {
  const { inquiry: _settled, refused: _refused, ...rest } = call;
  const result: ToolResult = { status: isError ? 'failed' : 'ok', text, ...(files?.length ? { files } : {}) };
  return { ...rest, answered: { result, startedAt: at, endedAt: at } };
}

function answer(call: Call, given: Json, times: Pick<CallEnd, 'startedAt' | 'endedAt'>): Call {
  const { inquiry, ...rest } = call;
  if (inquiry?.type !== 'approval')
    return { ...call, answered: { result: { status: 'ok', text: answerText(given) }, ...times } };
  const approval = (isObject(given) ? given : { isApproved: given === true, reason: '' }) as unknown as Approval;
  return approval.isApproved ? rest : { ...rest, refused: denied(call.part.name, approval) };
}

function toQuestion({ parts: { place } }: SessionState, { inquiry, plan }: Call, handle: string): Question {
  const { type = 'question', text = '', to = 'caller', choices, schema } = inquiry ?? {};
  return {
    type,
    text,
    // Who called the root is a person.
    to: place.depth === 0 ? 'person' : to,
    ...(choices ? { choices } : {}),
    ...(schema ? { schema } : {}),
    ...(type === 'approval' && plan ? { call: { tool: shownName(plan.tool), args: plan.call.args } } : {}),
    handle,
    agentName: place.ancestry.at(-1) ?? '',
    sessionId: place.id,
  };
}
