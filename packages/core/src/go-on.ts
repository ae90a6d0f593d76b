// What an earlier session has said, as whoever goes on with it is told it, and what it has used.

import type { Fact } from './events.ts';
import { ConversationsFold } from './folds/conversations.ts';
import { ledgerOf } from './folds/ledger.ts';
import { toHistory } from './history.ts';
import type { Message } from './message.ts';
import type { SessionHead, SessionStore } from './session-store.ts';
import type { Texts } from './texts.ts';
import { addTotals, noTotals } from './totals.ts';

/** The conversation of its last round that has begun, with what came before it, in a form that every provider takes. */
export async function historyOf(
  store: Pick<SessionStore, 'facts'>,
  head: SessionHead,
  texts?: Partial<Texts>,
): Promise<readonly Message[]> {
  const { id, earlierFacts = 0, draft } = head;
  const last = await store.facts(id, earlierFacts);
  // A round that never began has told nothing.
  const facts = last.length > 0 || earlierFacts === 0 ? last : await store.facts(id, 0);
  const said = conversationIn(facts);
  if (draft === undefined || draft === '') return toHistory(said, texts);
  return toHistory([...said, { role: 'assistant', content: [{ type: 'text', text: draft }] }], texts);
}

/** The head with what a round has used that was interrupted, and told no end: calls that it left open are unknown. */
export async function withUsage(store: Pick<SessionStore, 'facts'>, head: SessionHead): Promise<SessionHead> {
  const { id, status, earlierFacts = 0, usage = noTotals } = head;
  const facts = status === 'interrupted' ? await store.facts(id, earlierFacts) : [];
  return facts.length === 0 ? head : { ...head, usage: addTotals(usage, ledgerOf(facts, { isOver: true }).total) };
}

function conversationIn(facts: readonly Fact[]): readonly Message[] {
  const fold = new ConversationsFold();
  let root: string | undefined;
  for (const fact of facts) {
    fold.add(fact);
    root = fact.trace.originId;
  }
  return root === undefined ? [] : (fold.of(root) ?? []);
}
