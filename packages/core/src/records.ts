// The folds that every run keeps: ledger, tree and conversations, each readable for any session of it.

import type { AgentEvent } from './events.ts';
import { ConversationsFold } from './folds/conversations.ts';
import { LedgerFold } from './folds/ledger.ts';
import { OpTreeFold } from './folds/op-tree.ts';

export class Records {
  readonly ledger = new LedgerFold();
  readonly tree = new OpTreeFold();
  readonly conversations = new ConversationsFold();

  add(event: AgentEvent): void {
    this.ledger.add(event);
    this.tree.add(event);
    this.conversations.add(event);
  }
}
