// `--trace-llm`: every request to a model and every reply in words, as it happens. Made of facts, which hide secrets already.

import {
  type AgentEvent,
  type Fact,
  type Message,
  oneLine,
  tokenWords,
  toRoleSuffix,
  totalsOfCall,
  type UserMessage,
} from '@ai-agent/core';
import { toGutter } from './trace-text.ts';

type ModelStart = Extract<Fact, { readonly type: 'model-start' }>;
type ModelEnd = Extract<Fact, { readonly type: 'model-end' }>;

interface Told {
  /** Its name, and what it is to the one that called. */
  readonly who: string;
  /** What its model has not been told yet. */
  readonly untold: Fact[];
  /** What the house asks for itself is not for the model. */
  isAtStep: boolean;
}

/** Told every event of a run; writes what went to models and came from them. */
export function traceModels(write: (text: string) => void): (event: AgentEvent) => void {
  const sessions = new Map<string, Told>();
  return (event) => {
    if (event.kind !== 'fact') return;
    const { selfId } = event.trace;
    const told = sessions.get(selfId) ?? toTold(event);
    sessions.set(selfId, told);
    if (event.type === 'turn-start') told.isAtStep = event.step !== undefined;
    if (event.type !== 'tool-end' || !told.isAtStep) told.untold.push(event);
    if (event.type === 'model-start') write(toAsked(told, event));
    if (event.type === 'model-end') write(toReply(told.who, event));
    if (event.type === 'session-end') sessions.delete(selfId);
  };
}

function toTold(fact: Fact): Told {
  const role = fact.type === 'session-start' ? toRoleSuffix(fact.partner) : '';
  return { who: `${fact.trace.instanceName}${role}`, untold: [], isAtStep: false };
}

/** What was said so far is summed up in a step; the next turn tells what it was made of. */
function toAsked({ who, untold }: Told, { turn, step, provider, model }: ModelStart): string {
  const head = oneLine(`→ ${who}, ${toTurn(turn, step)}, to ${provider}/${model}`);
  return `${head}\n${step ? '' : toRequest(untold.splice(0))}`;
}

function toTurn(turn: number, step: ModelStart['step']): string {
  return step ? `step ${step}` : `turn ${turn}`;
}

function toRequest(facts: readonly Fact[]): string {
  const prompt = facts.findLast((fact) => fact.type === 'turn-end' && fact.prompt !== undefined);
  const asked = prompt?.type === 'turn-end' ? prompt.prompt : undefined;
  return facts.flatMap((fact) => toLines(fact, asked)).join('');
}

/** What a fact adds to the next request. */
function toLines(fact: Fact, asked: UserMessage | undefined): readonly string[] {
  if (fact.type === 'session-start') {
    const { system, tools } = fact;
    const messages = asked ? withPrompt(fact.messages, asked) : fact.messages;
    const offered = tools.length === 0 ? [] : [toGutter('tools', tools.join(', '))];
    return [toGutter('system', system), ...messages.flatMap(toMessage), ...offered];
  }
  if (fact.type === 'turn-start') return fact.said.flatMap(toMessage);
  if (fact.type === 'turn-end' && fact.summedUp) return toMessage(fact.summedUp.summary);
  if (fact.type === 'batch-end') return [toGutter('result of batch', fact.result.text)];
  if (fact.type !== 'tool-end' || fact.batch !== undefined) return [];
  const { label, result } = fact;
  return [toGutter(`result of ${label}${result.status === 'ok' ? '' : ` (${result.status})`}`, result.text)];
}

/** The prompt is the last that was said; advisors make another of it. */
function withPrompt(messages: readonly Message[], asked: UserMessage): readonly Message[] {
  return messages.with(
    messages.findLastIndex(({ role }) => role === 'user'),
    asked,
  );
}

function toMessage(message: Message): readonly string[] {
  if (message.role === 'system') return [toGutter('system', message.text)];
  return message.content.map((part) => {
    if (part.type === 'file') return toGutter(`${message.role}, a file`, `${part.name ?? ''} ${part.mediaType}`.trim());
    if (part.type === 'tool-call') return toGutter(`calls ${part.name}`, part.input);
    if (part.type === 'tool-result') return toGutter(`result of ${part.name}`, part.text);
    return toGutter(part.type === 'reasoning' ? 'thinks' : message.role, part.text);
  });
}

function toReply(who: string, end: ModelEnd): string {
  const { turn, step, provider, model, startedAt, endedAt, requests, reply, failure } = end;
  const total = totalsOfCall(end);
  const used = total.modelCalls > 0 ? [tokenWords(total)] : [];
  const figures = [seconds(endedAt - startedAt), ...used, reply?.finishReason ?? 'failed'].join(', ');
  const head = oneLine(`← ${who}, ${toTurn(turn, step)}, from ${provider}/${model}: ${figures}`);
  const tried = requests.filter((one) => one.status !== 'refused' || one.failure?.message !== failure?.message);
  const said = reply ? toMessage(reply.message) : [toGutter(failure?.class ?? 'failed', failure?.message ?? '')];
  return [`${head}\n`, ...tried.flatMap(toFailedRequest), ...said].join('');
}

function toFailedRequest({ status, provider, model, failure }: ModelEnd['requests'][number]): readonly string[] {
  if (!failure) return [];
  return [toGutter(`${status} request, ${provider}/${model}`, `${failure.class}: ${failure.message}`)];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
