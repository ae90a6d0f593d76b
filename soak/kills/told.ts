// What clients were told before a kill: all of it has to be true after it.

/** How a session stands, as somebody was told. */
export interface Standing {
  readonly status: string;
  readonly text: string;
  /** What it asks, where it does. */
  readonly question?: string | undefined;
}

export interface ToldSession {
  readonly id: string;
  /** What was asked last, and whether the clerk was to ask back. */
  word: string;
  asks: boolean;
  /** Whether somebody was told that it is there. */
  isPromised: boolean;
  /** How long it took until somebody was told so. */
  knownMs?: number;
  /** Facts that came with a number, as they were written; that of number 1 is the first. */
  readonly facts: (string | undefined)[];
  /** What came of its rounds, by the ids of their trees. */
  readonly ends: Map<string, Standing>;
  /** Nothing while a round is under way, or when nobody was told what came of it. */
  standing: Standing | undefined;
  /** How many rounds were asked for. */
  rounds: number;
  /** Whether somebody works with it now. */
  isTaken: boolean;
  /** Whether something was told of it since it was held against the store. */
  isNew: boolean;
}

/** A promise that was not kept, however the server ended after it. */
export class Broken extends Error {}

export class Told {
  readonly #sessions = new Map<string, ToldSession>();
  #words = 0;
  /** Facts that came with a number. */
  facts = 0;
  /** Outcomes that clients were given. */
  outcomes = 0;
  /** Sessions of which somebody was told that the store does not have them yet. */
  unkept = 0;

  get all(): readonly ToldSession[] {
    return [...this.#sessions.values()];
  }

  get size(): number {
    return this.#sessions.size;
  }

  find(id: string): ToldSession | undefined {
    return this.#sessions.get(id);
  }

  /** To ask about: nobody has asked about it before. */
  newWord(): string {
    this.#words++;
    return `word-${this.#words}`;
  }

  /** The one with this id, from now on new: somebody is about to be told of it. */
  session(id: string): ToldSession {
    const known = this.#sessions.get(id) ?? toSession(id);
    this.#sessions.set(id, known);
    known.isNew = true;
    return known;
  }

  /** A fact with its number. Throws when another was told under it. */
  fact(told: ToldSession, number: number, data: string): void {
    const before = told.facts[number - 1];
    if (before !== undefined && before !== data)
      throw new Broken(`${told.id}: fact ${number} was ${before}, and now ${data}`);
    if (before === undefined) this.facts++;
    told.facts[number - 1] = data;
    told.isPromised = true;
  }

  /** What came of a round. */
  end(told: ToldSession, round: string, standing: Standing): void {
    told.isPromised = true;
    told.ends.set(round, standing);
    told.standing = standing;
    this.outcomes++;
  }

  /** Somebody asks for a further round: nobody knows how it stands until they have an answer. */
  goOn(told: ToldSession): void {
    told.standing = undefined;
    told.rounds++;
    told.isNew = true;
  }
}

function toSession(id: string): ToldSession {
  return {
    id,
    word: '',
    asks: false,
    isPromised: false,
    facts: [],
    ends: new Map(),
    standing: undefined,
    rounds: 1,
    isTaken: false,
    isNew: true,
  };
}
