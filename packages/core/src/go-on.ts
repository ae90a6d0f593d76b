// History, missing children and usage of an earlier round, for the round that continues the session.

import { toInterruptedBatch } from './batch.ts';
import type { Fact } from './events.ts';
import { ConversationsFold } from './folds/conversations.ts';
import { missingWithoutAnswer } from './folds/incomplete.ts';
import { ledgerOf } from './folds/ledger.ts';
import { OpTreeFold } from './folds/op-tree.ts';
import { toHistory } from './history.ts';
import { addResults, callsOf, type Message } from './message.ts';
import type { MissingCall } from './missing-call.ts';
import type { AIAgentSessionConfig } from './session-config.ts';
import type { SessionHead, SessionStore } from './session-store.ts';
import { defaultTexts, type Texts } from './texts.ts';
import { toResultPart } from './tool-result.ts';
import { addTotals, noTotals } from './totals.ts';

/** History and missing children for the next round of a session. */
type Continuation = Required<Pick<AIAgentSessionConfig, 'history'>> & Pick<AIAgentSessionConfig, 'continues'>;

/**
 * The whole conversation up to the last round that has begun, in a form that every provider accepts, and the children whose
 * work was missing if that round ended without an answer.
 */
export async function continuationOf(
  store: Pick<SessionStore, 'facts'>,
  head: SessionHead,
  texts?: Partial<Texts>,
): Promise<Continuation> {
  const { id, earlierFacts = 0, draft } = head;
  const last = await store.facts(id, earlierFacts);
  // A round that never began has no facts.
  const facts = last.length > 0 || earlierFacts === 0 ? last : await store.facts(id, 0);
  const root = facts.at(-1)?.trace.originId ?? '';
  const said: Message[] = [...conversationIn(facts, root)];
  addInterruptedBatches(said, facts, { root, ...defaultTexts, ...texts });
  if (draft !== undefined && draft !== '') said.push({ role: 'assistant', content: [{ type: 'text', text: draft }] });
  const missing = missingChildren(facts, root);
  return {
    history: toHistory(said, texts),
    ...(missing.length > 0 ? { continues: { sessionId: root, missing } } : {}),
  };
}

/** The head with what a round has used that was interrupted, and told no end: calls that it left open are unknown. */
export async function withUsage(store: Pick<SessionStore, 'facts'>, head: SessionHead): Promise<SessionHead> {
  const { id, status, earlierFacts = 0, usage = noTotals } = head;
  const facts = status === 'interrupted' ? await store.facts(id, earlierFacts) : [];
  return facts.length === 0 ? head : { ...head, usage: addTotals(usage, ledgerOf(facts, { isOver: true }).total) };
}

function conversationIn(facts: readonly Fact[], root: string): readonly Message[] {
  const fold = new ConversationsFold();
  for (const fact of facts) fold.add(fact);
  return fold.of(root) ?? [];
}

/** A batch that was cut off has no result, so the recorded results of its calls make one. Only the last turn can have such a batch. */
function addInterruptedBatches(
  said: Message[],
  facts: readonly Fact[],
  { root, interruptedCall }: { readonly root: string; readonly interruptedCall: string },
): void {
  const last = said.findLast((message) => message.role === 'assistant');
  const from = facts.findLastIndex(({ type, trace }) => type === 'model-end' && trace.selfId === root);
  const since = facts.slice(from).filter(({ trace }) => trace.selfId === root);
  if (!last || from < 0) return;
  const whole = new Set(since.flatMap(({ type, trace }) => (type === 'batch-end' ? [trace.correlationId] : [])));
  const ended = since.flatMap((fact) => (fact.type === 'tool-end' && fact.batch !== undefined ? [fact] : []));
  for (const [id, calls] of Map.groupBy(ended, ({ batch }) => batch)) {
    const part = callsOf(last).find((call) => call.id === id && !whole.has(call.id));
    const results = new Map(calls.map(({ trace, result }) => [trace.correlationId, result]));
    if (part) addResults(said, [toResultPart({ part, result: toInterruptedBatch(part, results, interruptedCall) })]);
  }
}

function missingChildren(facts: readonly Fact[], root: string): readonly MissingCall[] {
  const fold = new OpTreeFold();
  for (const fact of facts) fold.add(fact);
  return missingWithoutAnswer(fold.session(root));
}
