// What the buttons under a run do: stop, cancel, retry, details, download.

import { oneLine } from '@ai-agent/core';
import { SlackRefusal } from '../connect/slack-api.ts';
import { upload } from '../connect/upload.ts';
import type { Reception } from '../hear/reception.ts';
import { showFailed } from '../run/deliver.ts';
import { actionsIn } from '../run/our-messages.ts';
import { ThreadRun } from '../run/thread-run.ts';
import type { Surroundings } from '../surroundings.ts';
import { type About, actionIds, readAbout, readValue } from './buttons.ts';
import { detailsView, loadingView } from './details.ts';
import { hasLeave } from './leave.ts';
import { openView } from './open-view.ts';
import type { Pressed } from './pressed.ts';
import { readBlocks } from './settle.ts';
import { tell } from './tell.ts';

const lookAgainMs = 500;

const notYours = 'Only the person who asked, or an admin, can do that.';

export class Controls {
  readonly #around: Surroundings;
  readonly #reception: Reception;

  constructor(around: Surroundings, reception: Reception) {
    this.#around = around;
    this.#reception = reception;
  }

  async end(pressed: Pressed, wish: 'stop' | 'cancel'): Promise<void> {
    const { settings, runs, unbegun } = this.#around;
    const { thread, user, value, messageTs } = pressed;
    const asker = String(readValue(value)?.asker ?? '');
    if (!hasLeave(settings, asker, user)) return this.#tell(pressed, notYours);
    const run = runs.of(thread);
    if (run?.isShownBy(messageTs) && hasLeave(settings, run.asker, user)) return run.end(wish, user);
    // Another server runs it, or nobody any more: what has begun there since is not meant.
    if (!run && (await this.#endElsewhere(pressed, wish))) return;
    const isUnbegun = !run && (await unbegun.cancel(thread, messageTs));
    await this.#tell(pressed, isUnbegun ? 'It had not begun yet, and will not.' : 'It has ended already.');
    if (!run && !isUnbegun) await this.#showEnded(pressed);
  }

  /** Nobody knows of it any more, where nothing is kept: it need not look for ever as if it were at work. */
  async #showEnded({ thread, messageTs }: Pressed): Promise<void> {
    const blocks = await readBlocks(this.#around, { thread, messageTs });
    // Its answer may stand there by now.
    const isAtWork = blocks !== undefined && actionsIn(blocks).some(({ action_id }) => action_id === actionIds.cancel);
    if (isAtWork) await showFailed(this.#around, thread, messageTs, 'It has ended: nobody is at work on this.');
  }

  /** Of one that begins at this moment nobody else knows yet: it is looked for again. */
  async #endElsewhere({ thread, messageTs }: Pressed, wish: 'stop' | 'cancel'): Promise<boolean> {
    const { threads, runNotes, desk } = this.#around;
    for (let looks = 0; looks < 3; looks++) {
      if (looks > 0) await new Promise<void>((resolve) => void desk.clock.after(lookAgainMs, resolve));
      const note = await threads.get(thread);
      const shown = note && (await runNotes.get(note.session));
      if (note && shown?.statusTs === messageTs) return desk.end(note.session, wish);
    }
    return false;
  }

  async retry(pressed: Pressed): Promise<void> {
    const { settings } = this.#around;
    const about = readAbout(pressed.value);
    if (!about) return;
    if (!hasLeave(settings, about.asker, pressed.user)) return this.#tell(pressed, notYours);
    await this.#reception.takePressed(pressed, () => this.#runAgain(pressed, about));
  }

  /** Judged only when it is its turn: whoever presses twice has the first answer by then. */
  async #runAgain(pressed: Pressed, about: About): Promise<void> {
    const { desk, threads } = this.#around;
    const { thread, user, messageTs } = pressed;
    const head = await desk.find(about.session);
    if (!head) return this.#tell(pressed, 'It is not kept any more.');
    const note = await threads.get(thread);
    if (head.resumptions !== about.round)
      return this.#tell(pressed, 'The conversation has gone on since: ask in a message.');
    // Only who tries again makes another session of a thread.
    if (note !== undefined && note.session !== about.session)
      return this.#tell(pressed, 'It was tried again already: see below.');
    const run = new ThreadRun(this.#around, {
      thread,
      asker: about.asker,
      person: user,
      agent: head.agent,
      seenTs: note?.seenTs ?? messageTs,
      pressed: { session: about.session, messageTs },
      ask: (hearing) => desk.begin({ ...hearing, retry: about.session }),
    });
    await run.run();
  }

  async details(pressed: Pressed): Promise<void> {
    const { desk, api } = this.#around;
    const about = readAbout(pressed.value);
    if (!about || pressed.triggerId === undefined || (await this.#reception.isDenied(pressed))) return;
    // Slack opens a view within three seconds; what is in it may take longer.
    const opened = await openView(api, pressed.triggerId, loadingView());
    const head = await desk.find(about.session);
    const facts = head ? await desk.facts(head) : [];
    const viewId = (opened.view as { id?: unknown } | undefined)?.id;
    await api.call('views.update', { view_id: viewId, view: detailsView(head, facts) });
  }

  async download(pressed: Pressed): Promise<void> {
    const { settings, desk, api, log } = this.#around;
    const { thread, user, value } = pressed;
    const about = readAbout(value);
    if (!about || (await this.#reception.isDenied(pressed))) return;
    if (!hasLeave(settings, about.asker, user)) return this.#tell(pressed, notYours);
    const head = await desk.find(about.session);
    if (!head) return this.#tell(pressed, 'It is not kept any more.');
    const text = `${JSON.stringify(await desk.document(head), null, 2)}\n`;
    const name = `${head.agent}-${head.id}.json`;
    try {
      await upload(api, { channel: thread.channel, threadTs: thread.ts, name, text });
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      log.fail(`A file could not be added: ${oneLine(error.message)}`);
      await this.#tell(pressed, `Slack did not take the file: ${error.word}.`);
    }
  }

  async #tell(pressed: Pressed, text: string): Promise<void> {
    await tell(this.#around.api, pressed, text);
  }
}
