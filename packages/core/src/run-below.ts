// One call of a sub-agent: makes its session, runs it below its caller, and turns the outcome into a result.

import { Scope } from './abort.ts';
import { idOf } from './agent-key.ts';
import type { NeedsUserInput } from './ending.ts';
import { AgentError, toFailure } from './errors.ts';
import { toHistory } from './history.ts';
import type { JsonObject } from './json.ts';
import { forgetAll } from './keep-paused.ts';
import type { Message } from './message.ts';
import { misplacedBelow } from './middleware/nesting.ts';
import type { ToolCall } from './operation.ts';
import { failureForCaller, jsonReportOf, type Outcome } from './outcome.ts';
import { isResumption } from './question.ts';
import type { NewSession, SessionCall } from './session-config.ts';
import { head } from './text.ts';
import { toToolResult } from './to-tool-result.ts';
import type { Caller, ToolOutput } from './tool.ts';
import { failedResult, type SessionResult, type ToolResult, thrownResult } from './tool-result.ts';

/** What a session is made from: what it was called with, and what was said before when it goes on. */
export interface Making {
  readonly args: JsonObject;
  readonly history?: readonly Message[];
}

export interface Made {
  readonly session: NewSession;
  readonly prompt: string;
}

type Make = (from: Making) => Promise<Made> | Made;
type MapResult = (outcome: Outcome) => ToolOutput | Promise<ToolOutput>;

export function runBelow(below: SessionCall, make: Make, mapResult: MapResult = toOutput): Promise<ToolResult> {
  const { inside, scope } = below.caller;
  const run = () => runToResult(below, make, mapResult);
  return inside ? inside.runs(scope, run) : run();
}

async function runToResult(below: SessionCall, make: Make, mapResult: MapResult): Promise<ToolResult> {
  const { scope, history, inside, inherited } = below.caller;
  try {
    const { args, resume } = isAnswer(below.call) ? await startOf(below) : { args: below.call.args };
    const from = { args, ...(history ? { history: toHistory(history, inherited.texts) } : {}) };
    const making = make(from);
    const { session, prompt } = making instanceof Promise ? await untilStopped(scope, making) : making;
    const { agent } = session.config;
    const key = { name: agent.name, id: idOf(agent) };
    // An agentTool makes its session first: only now is its agent known.
    const misplaced = inside ? undefined : misplacedBelow(below.caller.place, key);
    if (misplaced) return { status: 'refused', text: '', failure: toFailure(misplaced) };
    const call = inside ? inside.admit(key, args) : below.call;
    const outcome = await session.run(resume ? '' : prompt, { ...below, call, ...resume }).outcome;
    inside?.add(outcome.usage);
    // A cancelled caller must not go on; a session that was cancelled by itself is only a failed call.
    scope.throwIfAborted();
    if (inside && outcome.status === 'needs_user_input') return unanswered(below, session, outcome);
    const again = outcome.status === 'completed' && outcome.isCached ? { isCached: true } : {};
    return { ...(await mapped(scope, () => mapResult(outcome))), ...again, session: toRecord(session, outcome) };
  } catch (error) {
    scope.throwIfAborted();
    return thrownResult(error);
  }
}

/** Nobody goes on with a session inside a call, which is not there any more when somebody answers. */
function unanswered({ caller }: SessionCall, session: NewSession, outcome: NeedsUserInput & Outcome): ToolResult {
  forgetAll(caller.run, outcome.resume);
  const { question: _question, ...record } = toRecord(session, outcome);
  const message = `${record.agentName} asks, and nobody is there to answer: ${outcome.question.text}`;
  return { ...failedResult(toFailure(new AgentError('tool-failed', message)), outcome.text), session: record };
}

/** A session that is still being made when its caller is stopped is not waited for. */
async function untilStopped<T>(scope: Scope, work: Promise<T>): Promise<T> {
  const own = new Scope(scope, 'stop');
  try {
    return await own.race(work);
  } finally {
    own.close();
  }
}

function isAnswer({ args, answered }: ToolCall): boolean {
  return answered !== undefined || isResumption(args);
}

/** A call that answers a question goes on with the session that asked, made from what that one was called with. */
async function startOf({ call: { args, answered }, caller }: SessionCall) {
  const resume = answered
    ? { ...answered, isPersons: true }
    : { handle: String(args.resume), answer: args.answer ?? null, isPersons: false };
  // What the person's answer goes down to was called with these very arguments.
  if (answered && !isResumption(args)) return { args, resume: { resume } };
  if (!answered && !wasTold(resume.handle, caller)) {
    const message = `No session that you called waits for an answer to "${resume.handle}".`;
    throw new AgentError('question-unknown', message, { remedy: 'Do without the answer.' });
  }
  const paused = await caller.run.ports.pauses.get(resume.handle);
  return { args: paused?.args ?? {}, resume: { resume } };
}

/** A model answers only what its own calls have asked it: a handle from elsewhere is another's. */
function wasTold(handle: string, { run, place }: Caller): boolean {
  const said = run.records.conversations.of(place.id) ?? [];
  return said.some((message) => message.role === 'tool' && message.content.some(({ text }) => text.includes(handle)));
}

/** A mapper that throws has failed the call; what its session used stays on the record. */
async function mapped(scope: Scope, map: () => ToolOutput | Promise<ToolOutput>): Promise<ToolResult> {
  try {
    const output = map();
    return toToolResult(output instanceof Promise ? await scope.race(output) : output);
  } catch (error) {
    scope.throwIfAborted();
    return thrownResult(error);
  }
}

function toRecord(session: NewSession, outcome: Outcome): SessionResult {
  const { sessionId: id, status, usage, startedAt, endedAt } = outcome;
  const record = { id, agentName: session.config.agent.name, status, usage, latencyMs: endedAt - startedAt };
  if (outcome.status === 'partial') return { ...record, limit: outcome.limit };
  return outcome.status === 'needs_user_input' ? { ...record, question: outcome.question } : record;
}

/** What the caller's model gets of an outcome. Nothing that was produced is lost, and no ending is dressed up. */
function toOutput(outcome: Outcome): ToolOutput {
  const failure = failureForCaller(outcome);
  if (failure) return { type: 'failure', failure, text: outcome.text };
  const report = jsonReportOf(outcome);
  const summary = head(outcome.text.trim().split('\n', 1)[0] ?? '', 160);
  if (report === undefined) return { type: 'text', value: outcome.text, summary };
  return { type: 'json', value: report, summary };
}
