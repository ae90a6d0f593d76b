// A store with a copy in memory beside it. While the store fails, sessions go on here; when it works again, it is given what it
// lacks. Its word is the last one: another server may have gone on with a session that this one has in memory.

import {
  type Fact,
  isAgentError,
  isUnderWay,
  type SessionHead,
  type SessionQuery,
  type SessionStore,
} from '@ai-agent/core';
import { andThen, attempt, type Soon } from './at-once.ts';
import { CatchUp, lost } from './catch-up.ts';
import { type ListedPage, listBeside } from './listed-beside.ts';
import { MemorySessions } from './memory-sessions.ts';
import type { Patience } from './patience.ts';
import { isHandleOf, type PausesBeside } from './pauses-beside.ts';

export interface KeptBesideOptions {
  /** How long it is waited for until the store has taken something: one that hangs is one that fails. */
  readonly patience: Pick<Patience, 'within'>;
  /** Told when reading fails; whoever writes is told by what it writes. */
  readonly onBug: (error: unknown) => void;
  /** Called when the store lacks something. */
  readonly tryLater: () => void;
  /** Where sessions wait, when that store has a place for it too. */
  readonly pauses?: Pick<PausesBeside, 'give' | 'forget'> | undefined;
}

export class KeptBeside implements SessionStore {
  readonly hasCopy = true;
  readonly #store: SessionStore;
  readonly #options: KeptBesideOptions;
  readonly #memory = new MemorySessions();
  /** Sessions under way here, and those of which the store lacks something. */
  readonly #writing = new Map<string, CatchUp>();
  /** Of sessions that began elsewhere, or before this process, so many of the first facts are in the store alone. */
  readonly #bases = new Map<string, number>();
  /** Others have gone on with them while the store could not be asked: nothing more of what was done here counts. */
  readonly #lost = new Set<string>();

  constructor(store: SessionStore, options: KeptBesideOptions) {
    this.#store = store;
    this.#options = options;
  }

  put(head: SessionHead): Soon<void> {
    const { id, facts, resumptions } = head;
    if (this.#lost.has(id)) throw lost(id);
    const isNew = facts === 0 && resumptions === 0 && !this.#memory.get(id);
    this.#remember(head);
    const writing = this.#writing.get(id) ?? this.#begin(head, isNew ? undefined : resumptions);
    return this.#watch(id, () => writing.put());
  }

  append(id: string, facts: readonly Fact[]): Soon<void> {
    const writing = this.#writing.get(id);
    if (!writing) throw lost(id);
    return this.#watch(id, () => writing.append(facts, (more) => this.#memory.append(id, more)));
  }

  claim(head: SessionHead): Soon<boolean> {
    const { id } = head;
    const behind = this.#behind(id);
    return attempt(
      () =>
        andThen(
          andThen(behind?.give(), () => this.#store.claim(head)),
          (isOurs) => {
            if (!isOurs) return false;
            this.#lost.delete(id);
            this.#remember(head);
            this.#begin(head, head.resumptions);
            return true;
          },
        ),
      (error) => this.#claimHere(head, error),
    );
  }

  get(id: string): Soon<SessionHead | undefined> {
    const here = () => this.#memory.get(id);
    return this.#behind(id) ? here() : this.#read(() => this.#store.get(id), here);
  }

  facts(id: string, after: number, limit?: number): Soon<readonly Fact[]> {
    const base = this.#bases.get(id) ?? 0;
    if (!this.#behind(id)) {
      const isHere = after >= base && this.#memory.get(id) !== undefined;
      return this.#read(
        () => this.#store.facts(id, after, limit),
        () => (isHere ? this.#factsHere(id, after, limit) : undefined),
      );
    }
    if (after >= base) return this.#factsHere(id, after, limit);
    const most = limit ?? Number.POSITIVE_INFINITY;
    const earlier = this.#store.facts(id, after, Math.min(most, base - after));
    return andThen(earlier, (facts) => [...facts, ...this.#factsHere(id, base, most - facts.length)]);
  }

  list(query: SessionQuery): Soon<readonly SessionHead[]> {
    return andThen(this.listPage(query), ({ heads }) => heads);
  }

  /** The same, and whether it is all of them. */
  listPage(query: SessionQuery): Soon<ListedPage> {
    const { onBug } = this.#options;
    return listBeside({ store: this.#store, memory: this.#memory, behind: this.#allBehind, onBug }, query);
  }

  get #allBehind(): ReadonlySet<string> {
    return new Set([...this.#writing].flatMap(([id, { isBehind }]) => (isBehind ? [id] : [])));
  }

  delete(id: string): Soon<boolean> {
    const behind = this.#behind(id);
    const head = this.#memory.get(id);
    const forget = () => {
      this.#options.pauses?.forget(id);
      if (!this.#memory.delete(id)) return;
      this.#writing.delete(id);
      this.#bases.delete(id);
    };
    // What is on its way to the store must not come there afterwards.
    if (behind && head && !isUnderWay(head))
      return andThen(
        this.#watch(id, () => behind.delete(forget)),
        () => true,
      );
    return andThen(this.#store.delete(id), (isGone) => {
      forget();
      return isGone;
    });
  }

  /** How many facts of it the store has: all of them, where it lacks nothing. */
  keptOf(id: string): number {
    if (this.#lost.has(id)) return 0;
    return this.#behind(id)?.kept ?? Number.POSITIVE_INFINITY;
  }

  /** Whether what waits under this handle is given with its session. */
  isPauseBehind(handle: string): boolean {
    return [...this.#writing].some(([id, { isBehind }]) => isBehind && isHandleOf(id, handle));
  }

  /** Gives the store what it lacks. Settles when it has that, or has failed once more. */
  async mend(): Promise<void> {
    for (const [id, writing] of [...this.#writing]) {
      // While others were given theirs, it may have gone on.
      if (this.#writing.get(id) !== writing) continue;
      const head = this.#memory.get(id);
      // What was forgotten here is lost; or the store had it after all, when nobody waited any more.
      if (!head || (!writing.isBehind && !isUnderWay(head))) this.#writing.delete(id);
      else if (!writing.isBehind) continue;
      else await attempt(async () => this.#watch(id, () => writing.give()), ignore);
    }
  }

  #behind(id: string): CatchUp | undefined {
    const writing = this.#writing.get(id);
    return writing?.isBehind ? writing : undefined;
  }

  #begin(begun: SessionHead, round: number | undefined): CatchUp {
    const { id } = begun;
    const { patience, pauses } = this.#options;
    const givePauses = () => pauses?.give(id);
    const copy = {
      head: () => this.#memory.get(id),
      facts: (after: number, count: number) => this.#factsHere(id, after, count),
    };
    const writing = new CatchUp({ id, store: this.#store, copy, patience, givePauses, begun, round });
    this.#writing.set(id, writing);
    return writing;
  }

  /** Whoever has all of it may go on with it; the store is asked again as soon as it answers. */
  #claimHere(head: SessionHead, error: unknown): boolean {
    const { id, resumptions } = head;
    if (isLost(error)) {
      this.#giveUp(id);
      return false;
    }
    const known = this.#memory.get(id);
    if (!known || this.#bases.has(id)) throw error;
    if (isUnderWay(known) || known.resumptions !== resumptions - 1) return false;
    const writing = this.#behind(id) ?? this.#begin(head, known.resumptions);
    this.#remember(head);
    writing.goOn(head);
    this.#options.tryLater();
    return true;
  }

  /** A copy that lacks rounds of other servers is none. */
  #remember(head: SessionHead): void {
    const { id, facts, resumptions } = head;
    const known = this.#memory.get(id);
    const isMissed = known !== undefined && known.resumptions < resumptions - 1;
    const isElsewhere = known !== undefined && !this.#writing.has(id) && known.facts !== facts;
    if (isMissed || isElsewhere) this.#forget(known);
    if (facts > 0 && !this.#memory.get(id)) {
      for (const one of this.#bases.keys()) if (!this.#memory.get(one)) this.#bases.delete(one);
      this.#bases.set(id, facts);
    }
    this.#memory.put(head);
  }

  #forget(head: SessionHead): void {
    // One that has not ended is not deleted.
    this.#memory.put({ ...head, endedAt: head.createdAt });
    this.#memory.delete(head.id);
    this.#bases.delete(head.id);
  }

  #factsHere(id: string, after: number, limit?: number): readonly Fact[] {
    return this.#memory.facts(id, after - (this.#bases.get(id) ?? 0), limit);
  }

  /** What the store says to a write, told to whoever writes. */
  #watch(id: string, work: () => Soon<void>): Soon<void> {
    const done = () => {
      const head = this.#memory.get(id);
      if (!this.#behind(id) && !(head && isUnderWay(head))) this.#writing.delete(id);
    };
    return attempt(
      () => andThen(work(), done),
      (error) => {
        if (isLost(error)) this.#giveUp(id);
        else this.#options.tryLater();
        throw error;
      },
    );
  }

  #giveUp(id: string): void {
    const head = this.#memory.get(id);
    this.#writing.delete(id);
    this.#options.pauses?.forget(id);
    if (head) this.#forget(head);
    if (head && isUnderWay(head)) this.#lost.add(id);
  }

  /** What the store says, or what is known here when it fails. */
  #read<T>(work: () => Soon<T>, here: () => T | undefined): Soon<T> {
    return attempt(work, (error) => {
      const known = here();
      if (known === undefined) throw error;
      this.#options.onBug(error);
      return known;
    });
  }
}

/** Somebody else has gone on with it. */
function isLost(error: unknown): boolean {
  return isAgentError(error) && error.code === 'session-busy';
}

function ignore(): void {}
