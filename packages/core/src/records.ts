// What every run keeps: its facts. Ledger, tree and conversations are folded from them when somebody looks, for any session.

import type { Fact } from './events.ts';
import { ConversationsFold } from './folds/conversations.ts';
import { LedgerFold } from './folds/ledger.ts';
import { type IsNews, onlyNews } from './folds/news.ts';
import { OpTreeFold } from './folds/op-tree.ts';
import { isBelow } from './place.ts';

/** What comes here has been asked for news already, once for all folds. */
const always: IsNews = () => true;

export class Records {
  readonly #isNews = onlyNews();
  readonly #facts: Fact[] = [];
  #ledger: Late<LedgerFold> | undefined;
  #tree: Late<OpTreeFold> | undefined;
  #conversations: Late<ConversationsFold> | undefined;

  /** Whether it was news: a fact told twice is recorded once. */
  add(fact: Fact): boolean {
    if (!this.#isNews(fact)) return false;
    this.#facts.push(fact);
    return true;
  }

  /** What was told of a session and those below it, or of the sessions inside a call. */
  factsOf(id: string): readonly Fact[] {
    return this.#facts.filter(({ trace }) => isBelow(trace.selfId, id));
  }

  get ledger(): LedgerFold {
    this.#ledger ??= new Late(new LedgerFold(always));
    return this.#ledger.read(this.#facts);
  }

  get tree(): OpTreeFold {
    this.#tree ??= new Late(new OpTreeFold(always));
    return this.#tree.read(this.#facts);
  }

  get conversations(): ConversationsFold {
    this.#conversations ??= new Late(new ConversationsFold(always));
    return this.#conversations.read(this.#facts);
  }
}

/** A fold that is brought up to date when it is read: most runs are asked for their text alone. */
class Late<F extends { add(fact: Fact): void }> {
  readonly #fold: F;
  #count = 0;

  constructor(fold: F) {
    this.#fold = fold;
  }

  read(facts: readonly Fact[]): F {
    for (; this.#count < facts.length; this.#count++) this.#fold.add(facts[this.#count] as Fact);
    return this.#fold;
  }
}
