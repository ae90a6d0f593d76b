// Sessions that outlive their process: a store that is opened by the first who needs it, fails no run, and is closed in time.

import {
  AgentError,
  isAgentError,
  type Keeper,
  messageOf,
  type PauseStore,
  type Ports,
  type SessionStore,
} from '@ai-agent/core';
import type { Store } from '@ai-agent/store';
import type { Unkept } from './kept-answers.ts';
import { randomIds, systemClock } from './platform.ts';
import { placeInWords, type StoreChoice } from './store-choice.ts';

export interface Opening {
  /** How long it may take to keep the last of a round. @default 2 seconds */
  readonly patienceMs?: number;
  /** How long whoever asks for an earlier session waits. @default 10 seconds */
  readonly readPatienceMs?: number;
  readonly open?: (choice: StoreChoice, onWarning: (sentence: string) => void) => Promise<Store>;
  /** Called with a warning of the store. @default it is not reported */
  readonly onWarning?: (sentence: string) => void;
}

/** What is only written waits so long: whoever starts has a request to send first, and time when that is on its way. */
const momentMs = 50;

/** What a store may fail to do: what is done again later makes up for it. */
type Doing = 'open' | 'put' | 'append' | 'pause' | 'go on';

export class KeptSessions {
  readonly choice: StoreChoice;
  readonly #patienceMs: number;
  readonly #readPatienceMs: number;
  readonly #open: () => Promise<Store>;
  readonly #failed = new Map<Doing, unknown>();
  readonly #moment = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;
  #isWaitedFor = false;
  #opened: Promise<Store> | undefined;
  #isStuck = false;

  constructor(choice: StoreChoice, opening: Opening = {}) {
    const { patienceMs = 2_000, readPatienceMs = 10_000, open = openWhenNeeded, onWarning = () => {} } = opening;
    this.choice = choice;
    this.#patienceMs = patienceMs;
    this.#readPatienceMs = readPatienceMs;
    this.#open = () => open(choice, onWarning);
  }

  /** Reads throw what it throws. What it cannot keep fails nobody: `unkept` tells it. */
  readonly store: SessionStore & { readonly pauses: PauseStore } = {
    put: (head) => this.#write('put', (store) => store.put(head)),
    append: (id, facts) => this.#write('append', (store) => store.append(id, facts)),
    claim: (head) => this.#read((store) => store.claim(head)),
    get: (id) => this.#read((store) => store.get(id)),
    facts: (id, after, limit) => this.#read((store) => store.facts(id, after, limit)),
    list: (query) => this.#read((store) => store.list(query)),
    delete: (id) => this.#read((store) => store.delete(id)),
    pauses: {
      // Whoever cannot be kept waiting ends with its question all the same.
      put: (handle, paused) => this.inTime(this.#write('pause', (store) => store.pauses.put(handle, paused))),
      get: (handle) => this.#read((store) => store.pauses.get(handle)),
      delete: (handle) => this.#read((store) => store.pauses.delete(handle)),
    },
  };

  /** For `firstRound` and `nextRound`; what goes wrong is noted where it happens. */
  get keeper(): Keeper {
    return { store: this.store, onBug: () => {}, clock: systemClock, ids: randomIds };
  }

  /** Where its sessions wait for answers. */
  get ports(): Pick<Ports, 'pauses'> {
    return { pauses: this.store.pauses };
  }

  /** For people. */
  get place(): string {
    return placeInWords(this.choice.where);
  }

  /** Why some of it is not kept, as far as that is known now. */
  get unkept(): Unkept | undefined {
    if (this.#isStuck) return tooSlow(this.place, this.#patienceMs);
    const [error] = this.#failed.values();
    return error === undefined ? undefined : toUnkept(error);
  }

  /** Whoever goes on without it says why. */
  lose(error: unknown): void {
    this.#failed.set('go on', error);
  }

  /** Ahead of the first round: what is wrong with the place is known then, unless it takes long to tell. */
  async tryOpen(): Promise<void> {
    const opened = this.#whenOpen().catch((error: unknown) => this.#failed.set('open', error));
    await within(this.#patienceMs, opened);
  }

  /** Waits for what keeps the last of a round, but not for long. */
  async inTime(work: Promise<unknown>): Promise<void> {
    if (this.#isStuck) return;
    this.#hurry();
    const done = work.then(
      () => true,
      () => true,
    );
    this.#isStuck ||= (await within(this.#patienceMs, done)) === undefined;
  }

  /** When all is kept and the store is closed, or neither is waited for any longer: why some of it is not kept. */
  async settled(): Promise<Unkept | undefined> {
    if (this.#timer) {
      this.#hurry();
      // Whoever writes opens it first.
      await this.#moment.promise;
    }
    if (this.#opened) await this.inTime(this.#opened.then((store) => store.close()));
    return this.unkept;
  }

  /** What was lost with the place itself is lost for good; nobody tries again and again. */
  async #write(doing: Doing, work: (store: Store) => void | Promise<void>): Promise<void> {
    if (this.#isStuck) return;
    if (!this.#isWaitedFor) this.#timer ??= setTimeout(this.#hurry, momentMs);
    await this.#moment.promise;
    const store = await this.#whenOpen().catch((error: unknown) => void this.#failed.set('open', error));
    if (!store) return;
    try {
      await work(store);
      this.#failed.delete(doing);
    } catch (error) {
      this.#failed.set(doing, error);
      throw error;
    }
  }

  async #read<T>(work: (store: Store) => T | Promise<T>): Promise<T> {
    this.#hurry();
    const doing = this.#whenOpen().then(async (store) => ({ found: await work(store) }));
    const done = await within(this.#readPatienceMs, doing);
    if (done) return done.found;
    const seconds = this.#readPatienceMs / 1_000;
    throw new AgentError('store-unreachable', `The store ${this.place} did not answer within ${seconds} seconds.`);
  }

  /** Somebody waits for it. */
  readonly #hurry = (): void => {
    this.#isWaitedFor = true;
    clearTimeout(this.#timer);
    this.#moment.resolve();
  };

  #whenOpen(): Promise<Store> {
    this.#opened ??= this.#open();
    return this.#opened;
  }
}

/** A run without a provider of its own has as little to load as ever. */
async function openWhenNeeded(
  { where, retention }: StoreChoice,
  onWarning: (sentence: string) => void,
): Promise<Store> {
  const { openStore } = await import('@ai-agent/store');
  return openStore(where, { retention, onWarning });
}

/** Undefined when it takes longer. */
async function within<T>(patienceMs: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function toUnkept(error: unknown): Unkept {
  const remedy = isAgentError(error) ? error.remedy : another;
  return { message: `This session is not kept: ${messageOf(error)}`, remedy, isStuck: false };
}

const another = 'Name another place with --store, or keep nothing with --no-store.';

function tooSlow(place: string, patienceMs: number): Unkept {
  const message = `This session may not be kept: ${place} did not answer within ${patienceMs / 1_000} seconds.`;
  return { message, remedy: `See whether it is there. ${another}`, isStuck: true };
}
