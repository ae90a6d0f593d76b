// A session with partners: advisors are heard, the loop is walked, and others answer in its place or go on from its answer.

import type { Completed, Ending, HandedOver } from './ending.ts';
import { AgentError, type Failure } from './errors.ts';
import { loop } from './loop.ts';
import type { OutputContract } from './model.ts';
import { partnerToolName } from './partner-tools.ts';
import type { Partner, PartnerArguments } from './partners.ts';
import type { Question } from './question.ts';
import type { Resumed, SessionState } from './state.ts';
import { takeStep } from './step.ts';
import type { Step } from './step-kind.ts';
import { nonceOf } from './text.ts';
import type { Said } from './text-material.ts';
import type { ToolResult } from './tool-result.ts';

export async function walkWithPartners(state: SessionState): Promise<Ending> {
  const resumed = state.takeResumed(true);
  const step = resumed?.pending.step;
  if (!step || step.kind === 'advisors') {
    const question = await hearAdvisors(state, resumed);
    return question ? paused(state, question) : passOn(state, await loop(state));
  }
  const ending = await follow(state, { step, resumed });
  return passOn(state, ending, { from: step.kind === 'handoff' ? step.position + 1 : 0, speaker: step.whom });
}

/** Whoever goes on after a question of its own has heard them. */
async function hearAdvisors(state: SessionState, resumed: Resumed | undefined): Promise<Question | undefined> {
  const { agent, opened, place, request, texts, transcript } = state.parts;
  const { advisors = [] } = agent;
  if (advisors.length === 0 || request.isAdvised || (opened.resumed && !resumed)) return undefined;
  const { text: asked, said = [] } = request;
  const calls = advisors.map((advisor) => toCall('advisor', advisor, { request: asked, said }));
  const results = await takeStep(state, {
    step: { kind: 'advisors', position: 0 },
    calls,
    resumed,
    toPrompt: (heard) => {
      const advice = advisors.map(({ label }, i) => toSaid('advisory', label, heard[i]?.text ?? ''));
      const handed = { nonce: nonceOf(place.id), said: [...said, ...advice], request: asked };
      return transcript.ask(request.at, texts.handed(handed));
    },
  });
  return 'question' in results ? results.question : undefined;
}

/** A completed answer goes to whoever comes next; any other ending is the end. */
async function passOn(state: SessionState, ending: Ending | HandedOver, after: After = {}): Promise<Ending> {
  const { agent, request } = state.parts;
  const { handoff = [] } = agent;
  const { from = 0, speaker = agent.toolName ?? agent.name } = after;
  let whose = 'handOver' in ending ? ending.handOver.agent : speaker;
  let answer = 'handOver' in ending ? await route(state, ending) : ending;
  for (let i = from; i < handoff.length && answer.status === 'completed'; i++) {
    const next = handoff[i] as Partner;
    const asked = { request: request.text, said: [toSaid('response', whose, answer.text)] };
    const call = toCall('handoff', next, { ...asked, ...outputFor(state, i === handoff.length - 1) });
    answer = await follow(state, { step: { kind: 'handoff', position: i, whom: next.label, before: answer }, call });
    whose = next.label;
  }
  return answer;
}

interface After {
  /** Which of the chain is next. @default the first */
  readonly from?: number;
  /** Who answered last. @default the agent itself */
  readonly speaker?: string | undefined;
}

async function route(state: SessionState, { handOver, ...before }: HandedOver): Promise<Ending> {
  const { agent, request } = state.parts;
  const { router, handoff = [] } = agent;
  const destination = router?.destinations.find(({ label }) => label === handOver.agent);
  if (!destination) throw new AgentError('internal', `${handOver.agent} is not among the destinations.`);
  const { message = '' } = handOver;
  const advice = message.trim() === '' ? [] : [toSaid('advisory', agent.toolName ?? agent.name, message)];
  // Who answers in its place goes on from what it was told.
  const asked = { request: request.text, said: [...(request.said ?? []), ...advice] };
  const call = toCall('router', destination, { ...asked, ...outputFor(state, handoff.length === 0) });
  return follow(state, { step: { kind: 'router', position: 0, whom: destination.label, before }, call });
}

interface Following {
  readonly step: Step;
  /** Missing for a step that is gone on with: it was made before. */
  readonly call?: ReturnType<typeof toCall> | undefined;
  readonly resumed?: Resumed | undefined;
}

async function follow(state: SessionState, { step, call, resumed }: Following): Promise<Ending> {
  state.turn++;
  const results = await takeStep(state, { step, calls: call ? [call] : [], resumed });
  if ('question' in results) return paused(state, results.question, step.before);
  const [result] = results;
  if (!result) throw new AgentError('internal', `The step ${step.kind} gave no result.`);
  return toEnding(result, step);
}

/** The answer of the partner. The answer before it stands if the partner failed or has no text. */
function toEnding({ text: said, value, failure, session }: ToolResult, step: Step): Ending {
  const { before } = step;
  const text = said || before?.text || '';
  const metadata = before?.metadata ? { metadata: before.metadata } : {};
  const answer = { text, ...(value === undefined ? {} : { report: value }), ...metadata };
  if (failure && isLimit(failure)) return { status: 'partial', limit: failure.limit ?? failure.code, ...answer };
  if (failure) return { status: 'failed', failure: named(failure, step), text: before?.text || said, ...metadata };
  if (session?.limit !== undefined) return { status: 'partial', limit: session.limit, ...answer };
  return { status: 'completed', ...answer };
}

/** Whose failure it is. No model is there to do the rest itself. */
function named(failure: Failure, { kind, whom = '' }: Step): Failure {
  const message = `The ${kind === 'router' ? 'hand-over' : 'handoff'} to ${whom} failed: ${failure.message}`;
  return { ...failure, message, ...(failure.code === 'depth-limit' ? { remedy: 'Raise maxDepth.' } : {}) };
}

function isLimit({ code }: Failure): boolean {
  return code === 'stopped' || code === 'cut-off' || code === 'budget-exhausted' || code === 'limit-reached';
}

function paused({ parts: { place } }: SessionState, question: Question, before?: Completed): Ending {
  return { status: 'needs_user_input', question, resume: place.id, text: before?.text ?? '' };
}

function toSaid(kind: Said['kind'], agent: string, text: string): Said {
  return { kind, agent, text };
}

/** Whose answer is the answer keeps the contract of the whole; those before it keep their own. */
function outputFor({ parts }: SessionState, isLast: boolean): { output?: OutputContract; isLast?: true } {
  const { agent, output, result, isResultAsked } = parts;
  if (!isLast) return {};
  // A router answers by its own contract, whoever answers in its place.
  const own = !agent.handoff && output.format === 'json' ? { output } : {};
  return { ...(isResultAsked ? { output: result } : own), isLast: true };
}

function toCall(role: 'advisor' | 'router' | 'handoff', partner: Partner, args: PartnerArguments) {
  return { tool: partnerToolName(role, partner), args };
}
