// What every headend shares: the agents, the places, the sessions that run, and how all of it ends.

import {
  AgentError,
  type Clock,
  type NoteStore,
  nearest,
  type Outcome,
  type PauseStore,
  type Ports,
  type SessionHead,
  type SessionQuery,
  type SessionStore,
  takesTime,
} from '@ai-agent/core';
import { type Keeping, openKeeping } from './keeping.ts';
import { Lending } from './lending.ts';
import type { ListedPage } from './listed-beside.ts';
import type { LiveSession } from './live-session.ts';
import { Patience } from './patience.ts';
import { Places, type PlacesOptions } from './places.ts';
import type { ServedAgent } from './served-agent.ts';
import { isSame, type Visitor } from './visitor.ts';
import { type Wish, Wishes } from './wishes.ts';

export interface HallOptions {
  /** Those that are served now: asked at every request. */
  readonly agents: () => readonly ServedAgent[];
  /** Where they keep no questions, those are in the store; where that has no place for them, in memory, bounded. */
  readonly ports: Ports;
  /** Places of each headend, by its name. @default 10 running and 100 waiting for each */
  readonly places?: Readonly<Record<string, PlacesOptions>>;
  /** Whoever hands it in closes it, when the hall has stopped. @default in memory, bounded */
  readonly store?: SessionStore;
  /** Told what came of every session, and the headend that this round of it came through. @default nobody */
  readonly onEnd?: (head: SessionHead, outcome: Outcome | undefined, headend: string) => void;
  /** Told what nobody foresaw, for whoever runs the server: clients are told nothing of it. @default nobody */
  readonly onBug?: (error: unknown) => void;
}

export class Hall {
  readonly ports: Ports;
  /** With the store: how long replies wait for it. */
  readonly patience: Patience;
  readonly lending = new Lending();
  readonly onEnd: NonNullable<HallOptions['onEnd']>;
  readonly onBug: NonNullable<HallOptions['onBug']>;
  readonly #agents: HallOptions['agents'];
  readonly #placesOptions: Readonly<Record<string, PlacesOptions>>;
  readonly #places = new Map<string, Places>();
  readonly #live = new Map<string, LiveSession>();
  readonly #ended = new Set<() => void>();
  readonly #onAgents = new Set<() => void>();
  /** Who works on a session that does not run, one after the other. */
  readonly #alone = new Map<string, Promise<unknown>>();
  readonly #keeping: Keeping;
  readonly #wishes = new Wishes(this);
  /** Whom it takes: while it stops only those that a run under way waits for. */
  #takes: 'all' | 'inside' | 'none' = 'all';

  constructor(options: HallOptions) {
    const { agents, ports, places = {}, onEnd = () => {}, onBug = () => {} } = options;
    this.#agents = agents;
    this.patience = new Patience(ports.clock);
    this.#placesOptions = places;
    this.onBug = (error) => {
      // Whoever is told has trouble of its own.
      try {
        onBug(error);
      } catch {}
    };
    this.#keeping = openKeeping({ ports, store: options.store, patience: this.patience, onBug: this.onBug });
    this.ports = { ...ports, pauses: this.#keeping.pauses };
    this.onEnd = (...ended) => {
      try {
        onEnd(...ended);
      } catch (error) {
        this.onBug(error);
      }
    };
  }

  get clock(): Clock {
    return this.ports.clock;
  }

  /** Also while the store fails: what it does not take is known here. */
  get store(): SessionStore {
    return this.#keeping.store;
  }

  /** What headends remember for a while: in the store, where that has notes. It never fails. */
  get notes(): NoteStore {
    return this.#keeping.notes;
  }

  /** How many facts of a session that does not run here the store has for good. */
  keptOf(id: string): number {
    return this.#keeping.keptOf(id);
  }

  /** Whether the store has everything of a session that has ended; of one that runs, whether it knows it and takes what that tells. */
  isKept(id: string): boolean {
    const live = this.#live.get(id);
    const hasAll = this.keptOf(id) === Number.POSITIVE_INFINITY;
    if (!live) return hasAll;
    // One that was not waited for any more may have it after all.
    const isTaken = hasAll || (live.isKnown && !live.isFailing);
    return isTaken && (live.head.endedAt === undefined || live.isWritten);
  }

  /** Sessions that are looked for, and whether those are among them that the store alone knows. */
  async listPage(query: SessionQuery): Promise<ListedPage> {
    return this.#keeping.listPage(query);
  }

  get isStopping(): boolean {
    return this.#takes !== 'all';
  }

  get running(): number {
    return this.#live.size;
  }

  /** Those that this visitor may call. */
  agentsFor(visitor: Visitor): readonly ServedAgent[] {
    return this.#agents().filter(({ name }) => visitor.may(name));
  }

  /** Throws `agent-forbidden`, whether there is such an agent or not, and `agent-unknown`. */
  agent(name: string, visitor: Visitor): ServedAgent {
    const agents = this.#agents();
    const found = agents.find((one) => one.name === name) ?? agents.find(({ agent }) => agent.name === name);
    // By whichever of its names it was asked for: leave is given to the one outside.
    if (!visitor.may(found?.name ?? name)) throw new AgentError('agent-forbidden', `This key may not call ${name}.`);
    if (found) return found;
    const meant = nearest(
      name,
      this.agentsFor(visitor).map((one) => one.name),
    );
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new AgentError('agent-unknown', `No agent ${name} is served here.${hint}`);
  }

  /** Calls it when other agents are served than before, until what is returned is called. */
  onAgents(listener: () => void): () => void {
    this.#onAgents.add(listener);
    return () => void this.#onAgents.delete(listener);
  }

  /** To be called by whoever serves others now. */
  agentsChanged(): void {
    for (const tell of this.#onAgents) {
      try {
        tell();
      } catch (error) {
        this.onBug(error);
      }
    }
  }

  /** Whoever asks: for what the house itself has to do. */
  servedAs(name: string): ServedAgent | undefined {
    return this.#agents().find((one) => one.name === name);
  }

  placesOf(headend: string): Places {
    const known = this.#places.get(headend) ?? new Places(this.#placesOptions[headend], () => this.clock.monotonicMs());
    this.#places.set(headend, known);
    return known;
  }

  /** Where the questions of an agent are kept; of one that is not served any more, those of the house. */
  pausesOf(served: ServedAgent | undefined): PauseStore | undefined {
    return served?.session?.ports?.pauses ?? this.ports.pauses;
  }

  /** Throws `server-stopping`. */
  enter(live: LiveSession, isInside: boolean): void {
    if (this.#takes !== 'all' && !(isInside && this.#takes === 'inside')) throw toStopping();
    this.#live.set(live.head.id, live);
    if (this.#keeping.isShared) this.#wishes.watch();
  }

  leave(live: LiveSession): void {
    if (this.#live.get(live.head.id) === live) this.#live.delete(live.head.id);
    if (this.#live.size === 0) for (const tell of this.#ended) tell();
  }

  live(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  /** Whoever is told of a session finds it, whatever happens to this process then. */
  async whenKnown(id: string): Promise<void> {
    const live = this.#live.get(id);
    if (live && !live.isWritten) await this.patience.wait(live.whenSoFar());
  }

  /** Throws `session-unknown`, also for sessions of others: nobody learns that there is one. */
  async session(id: string, visitor: Visitor): Promise<SessionHead> {
    return this.find(id, visitor);
  }

  /** The same, at once when the store knows at once: what it says may not hold any more after a wait. */
  find(id: string, visitor: Visitor): SessionHead | Promise<SessionHead> {
    const known = isId(id) ? (this.#live.get(id)?.head ?? this.store.get(id)) : undefined;
    const check = (head: SessionHead | undefined) => {
      if (head && isOf(head, visitor)) return head;
      throw new AgentError('session-unknown', 'There is no such session of yours.');
    };
    return takesTime(known) ? Promise.resolve(known).then(check) : check(known);
  }

  /** Those that run here. */
  get lives(): readonly LiveSession[] {
    return [...this.#live.values()];
  }

  /** Tells the server that runs it, in a moment: the wish is in the store; it may be about one session below alone. False where no other server would see it. */
  async wish(head: SessionHead, wish: Wish, below?: string): Promise<boolean> {
    if (!this.#keeping.isShared) return false;
    await this.alone(head.id, () => this.#wishes.tell(head, wish, below));
    return true;
  }

  /** Nobody else does anything of the kind with this session meanwhile. */
  async alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#alone.get(id);
    const doing = before ? before.then(work) : work();
    const done = doing.catch(() => {});
    this.#alone.set(id, done);
    try {
      return await doing;
    } finally {
      if (this.#alone.get(id) === done) this.#alone.delete(id);
    }
  }

  /**
   * No new runs but inside those that run, which get this long; then they are cancelled. Settles when all have ended, or when
   * some have not even after they were cancelled: whatever keeps them, it does not keep us. Gives how many those are.
   */
  async stop(graceMs: number): Promise<number> {
    if (this.#takes === 'all') this.#takes = 'inside';
    const gone = toStopping();
    for (const places of this.#places.values()) places.clear(gone);
    await this.#whenEmpty(graceMs);
    this.cancelAll();
    await this.#whenEmpty(settleMs);
    await this.patience.wait(this.#keeping.mend());
    return this.#live.size;
  }

  /** Nobody comes after them. */
  cancelAll(): void {
    this.#takes = 'none';
    for (const live of this.#live.values()) live.abandon(toStopped());
  }

  /** Or when the time is over. */
  async #whenEmpty(withinMs: number): Promise<void> {
    if (this.#live.size === 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        unset();
        this.#ended.delete(done);
        resolve();
      };
      const unset = this.clock.after(withinMs, done);
      this.#ended.add(done);
    });
  }
}

/** How long runs that were cancelled may take to end, and the store to have them. */
const settleMs = 5_000;

/** By then it is gone, and another one may be in its place. */
export function toStopping(): AgentError {
  return new AgentError('server-stopping', 'The server is stopping and takes no new runs.', { retryAfterMs: 5_000 });
}

/** It ran, and had no time to end. */
function toStopped(): AgentError {
  return new AgentError('server-stopping', 'The server stopped before this run had ended.', { retryAfterMs: 5_000 });
}

/** Whether it belongs to them: nobody else reads, answers or ends it. */
export function isOf({ owner, user }: SessionHead, visitor: Visitor): boolean {
  return isSame({ key: owner, user }, visitor);
}

/** As our ids are; nothing else is looked for. */
function isId(text: string): boolean {
  return /^[\w-]{1,200}$/.test(text);
}
