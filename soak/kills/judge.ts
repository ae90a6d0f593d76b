// After each kill: every session that somebody was told of is held against the new server, and some are gone on with.

import type { Chance } from '../chance.ts';
import { pickFree } from './crowd.ts';
import type { Provider } from './provider.ts';
import { Broken, type Told, type ToldSession } from './told.ts';
import { type Kept, verify } from './verify.ts';
import { answerQuestion, goOnWith, type Visited, within } from './visits.ts';

/** Requests at once. */
const atOnce = 8;

export class Judge {
  readonly #told: Told;
  readonly #provider: Provider;
  /** How those stand that were looked at last. */
  readonly #statuses = new Map<string, string>();
  #asked = 0;
  #interrupted = 0;
  #answered = 0;
  #goneOn = 0;

  constructor(told: Told, provider: Provider) {
    this.#told = told;
    this.#provider = provider;
  }

  async judge(url: string, chance: Chance): Promise<void> {
    const waiting = [...(await this.#sessionsToSee(url))];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let told = waiting.pop(); told; told = waiting.pop()) this.#adopt(told, await verify(url, told));
      }),
    );
    const visited = { url, told: this.#told, chance };
    await Promise.all([this.#answerOne(visited), this.#goOnWithOne(visited)]);
  }

  /** How often each was there to be judged: what never was has not been tested. */
  get seen(): Readonly<Record<string, number>> {
    return {
      'facts told': this.#told.facts,
      'outcomes told': this.#told.outcomes,
      'questions that outlived a kill': this.#asked,
      'questions answered after a kill': this.#answered,
      'sessions interrupted by a kill': this.#interrupted,
      'interrupted sessions gone on with': this.#goneOn,
    };
  }

  report(): string {
    const counts = new Map<string, number>();
    for (const status of this.#statuses.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
    const statuses = [...counts].sort().map(([status, count]) => `${count} ${status}`);
    const { facts, outcomes, size, unkept } = this.#told;
    const behind = unkept === 0 ? '' : `; of ${unkept} somebody was told that they were not kept yet`;
    return `${facts} facts and ${outcomes} outcomes were told of ${size} sessions and are there; ${statuses.join(', ')}; ${this.#answered} questions answered and ${this.#goneOn} interrupted ones gone on with after a kill${behind}`;
  }

  /** Those that something was told of since they were looked at, and those that came to be without a word to anybody. */
  async #sessionsToSee(url: string): Promise<readonly ToldSession[]> {
    const response = await fetch(`${url}/v1/sessions?limit=100`, { signal: within() });
    const { sessions } = (await response.json()) as { sessions: readonly { readonly id: string }[] };
    for (const { id } of sessions) if (!this.#told.find(id)) this.#told.session(id);
    return this.#told.all.filter(({ isNew }) => isNew);
  }

  /** From now on that is what was told. */
  #adopt(told: ToldSession, kept: Kept | undefined): void {
    told.isNew = false;
    told.isTaken = kept === undefined;
    if (!kept) return;
    told.isPromised = true;
    told.standing = kept.standing;
    told.rounds = kept.rounds;
    if (kept.standing.status === 'needs_user_input') this.#asked++;
    if (kept.standing.status === 'interrupted') this.#interrupted++;
    const [, word] = /^Which colour has (.*)\?$/.exec(kept.standing.question ?? '') ?? [];
    if (word !== undefined) Object.assign(told, { word, asks: true });
    this.#statuses.set(told.id, kept.standing.status);
  }

  /** What was asked before the kill is answered after it: the very clerk goes on, and looks nothing up again. */
  async #answerOne(visited: Visited): Promise<void> {
    const told = pickFree(this.#told, visited.chance, 'needs_user_input');
    if (!told) return;
    const before = this.#provider.lookedUp(told.word);
    await answerQuestion(visited, told);
    const after = this.#provider.lookedUp(told.word);
    if (after !== before) throw new Broken(`${told.id}: ${told.word} was looked up again by whoever was answered`);
    this.#answered++;
  }

  async #goOnWithOne(visited: Visited): Promise<void> {
    const told = pickFree(this.#told, visited.chance, 'interrupted');
    if (!told) return;
    await goOnWith(visited, told);
    this.#goneOn++;
  }
}
