// Hears what was said to us, or pressed: whether it is for us, and who answers it.

import { hasLeave } from '../act/leave.ts';
import { type Presser, tell } from '../act/tell.ts';
import { tellTrouble, troubleWords } from '../act/trouble.ts';
import { isUnreachable } from '../connect/slack-api.ts';
import { keyOf, type ThreadNote } from '../run/threads.ts';
import type { Surroundings } from '../surroundings.ts';
import { findRoute } from './find-route.ts';
import { type Heard, isExplicit } from './heard.ts';
import { tellSpeaker } from './tell-speaker.ts';
import { refusal, type Uptake, waitingWords } from './uptake.ts';

export class Reception {
  readonly #around: Surroundings;
  readonly #uptake: Uptake;

  constructor(around: Surroundings, uptake: Uptake) {
    this.#around = around;
    this.#uptake = uptake;
  }

  /** Never rejects: what goes wrong is said there, or to whoever runs the server. `onNoted` is called when it cannot get lost any more. */
  async take(heard: Heard, onNoted: () => void): Promise<void> {
    try {
      await this.#take(heard, onNoted);
    } catch (error) {
      tellTrouble(this.#around.log, error);
      if (isExplicit(heard)) await tellSpeaker(this.#around, heard, troubleWords(error));
    }
  }

  /** What somebody pressed there, behind what is at work. A rule that came after the button holds for it too; who finds no place is told. Rejects as the work does. */
  async takePressed(presser: Presser, work: () => Promise<void>): Promise<void> {
    const { api, lanes, holds } = this.#around;
    if (await this.isDenied(presser)) return;
    const tellThem = (text: string) => tell(api, presser, text);
    const isTaken = await lanes.enter(keyOf(presser.thread), () =>
      holds.during(presser.thread, work, () => tellThem(waitingWords(1))),
    );
    if (!isTaken) await tellThem('Too much waits in this thread already. Press again when I have answered.');
  }

  /** Whether a rule shuts out what is pressed there: whoever pressed is told. */
  async isDenied(presser: Presser): Promise<boolean> {
    const { channel } = presser.thread;
    const pressed = { how: 'reply', channel, isDirect: channel.startsWith('D'), isOfBot: false } as const;
    const isDenied = (await findRoute(this.#around, pressed)).how === 'denied';
    if (isDenied) await tell(this.#around.api, presser, refusal);
    return isDenied;
  }

  async #take(heard: Heard, onNoted: () => void): Promise<void> {
    const { identity, threads, log } = this.#around;
    const { channel, ts, threadTs } = heard;
    const note = (what: string) => log.detail(`Slack told of a ${heard.how} in ${channel} at ${ts}: ${what}.`);
    const thread = { team: identity.team, channel, ts: threadTs };
    const meant = heard.how === 'reply' ? await this.#howMeant(heard, await threads.get(thread)) : heard.how;
    if (meant === undefined) return note('not for us');
    // Of what nobody expects an answer to, nothing is noted unless it is given one, or may be.
    if (!isExplicit(heard) && !(await this.#mayBeRouted(heard, meant))) return note('no rule engages here');
    await this.#uptake.take({ heard, meant }, onNoted);
  }

  /** A reply without a mention is for us where all are, as the answer to what was asked, and of who asked where posts need no mention either; else undefined. */
  async #howMeant(heard: Heard, note: ThreadNote | undefined): Promise<'reply' | 'post' | undefined> {
    const { settings, desk } = this.#around;
    const { user, isOfBot } = heard;
    if (!note || isOfBot || user === undefined) return undefined;
    if (settings.threadReplies) return this.#replyOrPost(heard);
    if (!hasLeave(settings, note.asker, user)) return undefined;
    if ((await desk.find(note.session))?.question !== undefined) return this.#replyOrPost(heard);
    if (user !== note.asker) return undefined;
    return (await this.#isRouted(heard, 'post')) ? 'post' : undefined;
  }

  /** Where posts alone are answered, a thread began with one. */
  async #replyOrPost(heard: Heard): Promise<'reply' | 'post'> {
    return !(await this.#isRouted(heard, 'reply')) && (await this.#isRouted(heard, 'post')) ? 'post' : 'reply';
  }

  /** Where Slack cannot be asked whose rules hold there, that is found out later. */
  async #mayBeRouted(heard: Heard, how: Heard['how']): Promise<boolean> {
    try {
      return await this.#isRouted(heard, how);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      return true;
    }
  }

  async #isRouted(heard: Heard, how: Heard['how']): Promise<boolean> {
    return (await findRoute(this.#around, { ...heard, how })).how === 'route';
  }
}
