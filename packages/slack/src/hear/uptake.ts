// What is for us, from the moment it is heard until it is answered: once, in its turn, and by who comes after us where we do not come to it.

import { isForLater, laterWords, tellTrouble, troubleWords } from '../act/trouble.ts';
import { isUnreachable } from '../connect/slack-api.ts';
import type { Routed } from '../route/route.ts';
import { answerInThread } from '../run/answer-in-thread.ts';
import { showFailed } from '../run/deliver.ts';
import { findStatus } from '../run/find-status.ts';
import { shortWaitMs } from '../run/thread-holds.ts';
import { keyOf, type Thread } from '../run/threads.ts';
import type { UnbegunNote } from '../run/unbegun.ts';
import type { Surroundings } from '../surroundings.ts';
import { findRoute } from './find-route.ts';
import { type Heard, isExplicit } from './heard.ts';
import { isPlaceless, placeCommand } from './place-command.ts';
import type { Seen } from './seen.ts';
import { tellSpeaker } from './tell-speaker.ts';

export interface Taken {
  readonly heard: Heard;
  /** A reply may be meant as a post. */
  readonly meant: Heard['how'];
}

export const refusal = 'I do not answer here.';

/** So long nobody asks whether who heard it is gone. */
const freshMs = 5_000;
/** What ends every process that begins with it is given up. */
const mostTries = 3;
const givenUp = 'I could not answer this: the server stopped each time. Ask again, in other words.';

export class Uptake {
  readonly #around: Surroundings;
  readonly #seen: Seen;

  constructor(around: Surroundings, seen: Seen) {
    this.#around = around;
    this.#seen = seen;
  }

  /** Answers it when it is its turn; what Slack delivers again was heard before, and is left alone. Settles when all of it is told; `onNoted` is called when it cannot get lost any more. */
  async take(taken: Taken, onNoted: () => void): Promise<void> {
    const { holds, unbegun, log } = this.#around;
    const said = this.#nameOf(taken.heard);
    if (!(await this.#keep(said, taken))) return;
    onNoted();
    // Until it is in its lane: Slack may take long to say what a channel is called, and who looks for what is left would answer it.
    const inHand = await holds.tryTakeSaid(said);
    let answering: Promise<void>;
    try {
      const routed = await this.#route(taken);
      if (!routed) return await unbegun.delete(said);
      answering = this.#enter(said, await this.#place(said, taken.heard), routed);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      // It is noted, and looked at again.
      return tellTrouble(log, error);
    } finally {
      await inHand?.letGo();
    }
    await answering;
  }

  /** In the row of its thread. Never rejects. */
  async #enter(said: string, heard: Heard, routed: Route): Promise<void> {
    const { lanes, holds, desk, unbegun } = this.#around;
    const thread = this.#threadOf(heard);
    // Its place is taken before anybody is told of it: who comes later stays behind it.
    const ahead = lanes.count(keyOf(thread));
    const tellThem = (text: string) => tellSpeaker(this.#around, heard, text);
    let unset = () => {};
    const answered = lanes.enter(keyOf(thread), async () => {
      unset();
      // It is settled while the thread is ours: nobody else finds it in between.
      const work = () => this.#settle(said, heard, () => this.#answer(said, heard, { routed }));
      const waiting = () => holds.during(thread, work, () => tellThem(waitingWords(1)));
      await waiting().catch((error: unknown) => this.#settle(said, heard, () => Promise.reject(error)));
    });
    const isWaiting = ahead > 0 && lanes.count(keyOf(thread)) > ahead;
    if (isWaiting) unset = desk.clock.after(shortWaitMs, () => void tellThem(waitingWords(ahead)), true);
    if (await answered) return;
    await unbegun.delete(said);
    await tellThem('Too much waits in this thread already. Ask again when I have answered.');
  }

  /** What a process that is gone had heard and not begun, by its name in `Unbegun`. Never rejects. */
  async takeUp(said: string): Promise<void> {
    const { unbegun, desk, lanes, log } = this.#around;
    // Nothing begins here any more.
    if (desk.isStopping) return;
    const note = await unbegun.get(said);
    // Whoever has just heard it is about to begin.
    if (!note || desk.clock.now() - note.atMs < freshMs) return;
    const lane = keyOf(this.#threadOf(note.heard));
    if (lanes.count(lane) > 0) return;
    await lanes.enter(lane, () => this.#goOn(said, note)).catch((error: unknown) => tellTrouble(log, error));
    const isPlaced = isPlaceless(note.heard) && !isPlaceless((await unbegun.get(said))?.heard ?? note.heard);
    if (isPlaced) await this.takeUp(said);
  }

  /** Left to a later look where somebody is at work in its thread. */
  async #goOn(said: string, { heard, meant }: UnbegunNote): Promise<void> {
    const { unbegun, holds } = this.#around;
    const thread = this.#threadOf(heard);
    const inHand = await holds.tryTakeSaid(said);
    if (!inHand) return;
    const held = await holds.tryTake(thread);
    try {
      if (!held) return;
      // Whoever was at work there may have come to it meanwhile.
      const note = await unbegun.get(said);
      if (!note) return;
      await this.#seen.takeOver(said);
      if (isPlaceless(heard)) return void (await this.#place(said, heard, note.atMs));
      await this.#settle(said, heard, async () => {
        const statusTs = note.statusTs ?? (await findStatus(this.#around, thread, heard.ts));
        const drop = async (words: string) => {
          if (statusTs !== undefined) await showFailed(this.#around, thread, statusTs, words);
          else if (isExplicit(heard)) await tellSpeaker(this.#around, heard, words);
          return 'answered' as const;
        };
        if ((note.tries ?? 0) >= mostTries) return drop(givenUp);
        // Rules may have changed since.
        const routed = await findRoute(this.#around, { ...heard, how: meant });
        if (routed.how !== 'route') return drop(refusal);
        return this.#answer(said, heard, { routed, statusTs, isAgain: true });
      });
    } finally {
      await held?.letGo();
      await inHand.letGo();
    }
  }

  /** What was called stands in a message of ours. Throws `SlackRefusal` where there is no place for it. */
  async #place(said: string, heard: Heard, sinceMs?: number): Promise<Heard> {
    if (!isPlaceless(heard)) return heard;
    const { unbegun } = this.#around;
    try {
      const placed = await placeCommand(this.#around, heard, sinceMs);
      await unbegun.place(said, placed);
      return placed;
    } catch (error) {
      if (!isUnreachable(error)) await unbegun.delete(said);
      throw error;
    }
  }

  /** Who expects an answer and gets none is told. */
  async #route({ heard, meant }: Taken): Promise<Route | undefined> {
    const { log, desk } = this.#around;
    const routed = await findRoute(this.#around, { ...heard, how: meant });
    const agent = routed.how === 'route' ? (routed.agent ?? desk.agents()[0]?.name ?? 'nobody') : '';
    const words = routed.how === 'route' ? `${agent} answers` : unanswered[routed.how];
    log.detail(`Slack told of a ${heard.how} in ${heard.channel} at ${heard.ts}: ${words}.`);
    if (routed.how === 'route') return routed;
    if (isExplicit(heard)) await tellSpeaker(this.#around, heard, refusal);
    return undefined;
  }

  /** In its thread, which is ours alone now. */
  async #answer(said: string, heard: Heard, { routed, statusTs, isAgain }: Answering): Promise<Came> {
    if (!(await this.#seen.isOurs(said))) return 'left';
    const tell = (text: string) => tellSpeaker(this.#around, heard, text);
    const answering = { thread: this.#threadOf(heard), routed, said, statusTs, tell };
    const came = await answerInThread(this.#around, heard, answering);
    if (came === 'busy' && !isAgain) await tell(waitingWords(1));
    return came;
  }

  /** Whatever came of it is told; what Slack could not hear, or has to wait, is left for later. Never rejects. */
  async #settle(said: string, heard: Heard, work: () => Promise<Came>): Promise<void> {
    try {
      if ((await work()) !== 'answered') return;
    } catch (error) {
      if (isForLater(error, this.#around.desk)) return tellSpeaker(this.#around, heard, laterWords);
      tellTrouble(this.#around.log, error);
      if (isUnreachable(error)) return;
      await tellSpeaker(this.#around, heard, troubleWords(error));
    }
    await this.#around.unbegun.delete(said);
  }

  /** Whether nobody has. It is noted before it counts as heard: between both it is not lost. */
  async #keep(said: string, { heard, meant }: Taken): Promise<boolean> {
    const { unbegun } = this.#around;
    if ((await this.#seen.isKnown(said)) || !(await unbegun.claim(said, heard, meant))) return false;
    if (await this.#seen.take(said)) return true;
    await unbegun.delete(said);
    return false;
  }

  /** The same when Slack delivers it again. A shortcut may be called on one message again and again: each call has its own id. */
  #nameOf(heard: Heard): string {
    const { callId, ts } = heard;
    return callId === undefined ? `${keyOf(this.#threadOf(heard))}/${ts}` : `call/${callId}`;
  }

  #threadOf({ channel, threadTs }: Heard): Thread {
    return { team: this.#around.identity.team, channel, ts: threadTs };
  }
}

type Came = Awaited<ReturnType<typeof answerInThread>>;

type Route = Extract<Routed, { how: 'route' }>;

interface Answering {
  readonly routed: Route;
  /** What shows it at work already. */
  readonly statusTs?: string | undefined;
  /** Whether another process had heard it. */
  readonly isAgain?: boolean;
}

const unanswered = { denied: 'a deny rule shuts it out', unrouted: 'no rule engages here' } as const;

/** `ahead` counts the one at work too. */
export function waitingWords(ahead: number): string {
  if (ahead === 1) return 'I am still at work here; yours is next.';
  return `I am still at work here; ${ahead === 2 ? 'one other comes' : `${ahead - 1} others come`} before yours.`;
}
