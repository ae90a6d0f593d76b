// The folds that every run keeps: ledger, tree and conversations, each readable for any session of it.

import type { Fact } from './events.ts';
import { ConversationsFold } from './folds/conversations.ts';
import { LedgerFold } from './folds/ledger.ts';
import { type IsNews, onlyNews } from './folds/news.ts';
import { OpTreeFold } from './folds/op-tree.ts';

/** What comes here has been asked for news already, once for all folds. */
const always: IsNews = () => true;

export class Records {
  readonly ledger = new LedgerFold(always);
  readonly tree = new OpTreeFold(always);
  readonly conversations = new ConversationsFold(always);
  readonly #isNews = onlyNews();

  /** Whether it was news: a fact told twice is recorded once. */
  add(fact: Fact): boolean {
    if (!this.#isNews(fact)) return false;
    this.ledger.add(fact);
    this.tree.add(fact);
    this.conversations.add(fact);
    return true;
  }
}
