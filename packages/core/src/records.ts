// The folds that every run keeps: ledger, tree and conversations, each readable for any session of it.

import type { Fact } from './events.ts';
import { ConversationsFold } from './folds/conversations.ts';
import { LedgerFold } from './folds/ledger.ts';
import { onlyNews } from './folds/news.ts';
import { OpTreeFold } from './folds/op-tree.ts';

export class Records {
  readonly ledger = new LedgerFold();
  readonly tree = new OpTreeFold();
  readonly conversations = new ConversationsFold();
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
