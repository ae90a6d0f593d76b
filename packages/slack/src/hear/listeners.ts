// What Bolt hears, handed on: messages to the reception, buttons and forms to who acts on them. Everything is acknowledged at once.

import type { App, RespondFn } from '@slack/bolt';
import type { Answers } from '../act/answers.ts';
import { actionIds } from '../act/buttons.ts';
import type { Controls } from '../act/controls.ts';
import { formId } from '../act/form.ts';
import { type Pressed, readPressed } from '../act/pressed.ts';
import { tell } from '../act/tell.ts';
import { tellTrouble, troubleWords } from '../act/trouble.ts';
import { escapeMrkdwn } from '../blocks/safe-text.ts';
import type { Surroundings } from '../surroundings.ts';
import { fromCommand, fromShortcut } from './calls.ts';
import { fromMention, fromMessage, type Heard, type Respond, type SlackMessageEvent } from './heard.ts';
import type { Reception } from './reception.ts';

/** Slack waits three seconds for an acknowledgement, and for what is wrong with a form: a store that is slow must not let it fail. */
const longestLookMs = 2_000;

export interface Hearers {
  readonly around: Surroundings;
  readonly reception: Reception;
  readonly controls: Controls;
  readonly answers: Answers;
}

export function listen(app: App, hearers: Hearers): void {
  const { around, reception, controls, answers } = hearers;
  const { identity, log } = around;
  /** Settles when it is noted, and is acknowledged then. The answer is not waited for: a run may take hours. */
  const take = async (event: SlackMessageEvent, heard: Heard | undefined): Promise<void> => {
    const { channel = '', ts = '', subtype = 'message' } = event;
    if (!heard)
      return log.detail(
        `Slack told of a ${subtype} in ${channel} at ${ts}: it is not for us, or comes as a mention too.`,
      );
    await soonNoted((onNoted) => reception.take(heard, onNoted));
  };
  const soonNoted = (work: (onNoted: () => void) => Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      const unset = around.desk.clock.after(longestLookMs, resolve);
      const onNoted = () => {
        unset();
        resolve();
      };
      void work(onNoted).finally(onNoted);
    });
  app.event('app_mention', async ({ event }) => {
    const said = event as SlackMessageEvent;
    await take(said, fromMention(said, identity));
  });
  app.event('message', async ({ event }) => {
    const said = event as SlackMessageEvent;
    await take(said, fromMessage(said, identity));
  });
  app.shortcut('ask_bot', async ({ ack, body, respond }) => {
    const heard = fromShortcut(body, toResponding(respond));
    if (heard) await soonNoted((onNoted) => reception.take(heard, onNoted));
    await ack();
  });
  app.command(/.*/, async ({ ack, command, respond }) => {
    const question = command.text.trim();
    if (question === '') {
      await ack({ response_type: 'ephemeral', text: `Say what you want to know: \`${command.command} what is …\`` });
      return;
    }
    const heard = fromCommand(command, toResponding(respond));
    await soonNoted((onNoted) => reception.take(heard, onNoted));
    await ack();
  });
  const on = (actionId: string | RegExp, act: (pressed: Pressed) => Promise<void>) =>
    app.action(actionId, async ({ ack, body }) => {
      await ack();
      const pressed = readPressed(body, identity.team);
      if (pressed) {
        const { thread, messageTs, user } = pressed;
        log.detail(`Slack told that ${user} pressed ${String(actionId)} in ${thread.channel} at ${messageTs}.`);
        spawn(
          () => act(pressed),
          (words) => tell(around.api, pressed, words),
        );
      }
    });
  on(actionIds.stop, (pressed) => controls.end(pressed, 'stop'));
  on(actionIds.cancel, (pressed) => controls.end(pressed, 'cancel'));
  on(actionIds.retry, (pressed) => controls.retry(pressed));
  on(actionIds.details, (pressed) => controls.details(pressed));
  on(actionIds.download, (pressed) => controls.download(pressed));
  on(actionIds.approve, (pressed) => answers.approve(pressed, true));
  on(actionIds.decline, (pressed) => answers.approve(pressed, false));
  on(new RegExp(`^${actionIds.choose}_\\d+$`), (pressed) => answers.choose(pressed));
  on(actionIds.select, (pressed) => answers.choose(pressed));
  on(actionIds.answer, (pressed) => answers.open(pressed));
  on(actionIds.drop, (pressed) => answers.drop(pressed));
  app.view(formId, async ({ ack, body, view }) => {
    let isClosed = false;
    const unset = around.desk.clock.after(longestLookMs, () => {
      isClosed = true;
      void ack().catch((error: unknown) => log.bug(error));
    });
    const { refused, goOn, tellPresser } = await answers.submit(view, body.user.id);
    unset();
    // The form is gone, and with it the place for what is wrong in it.
    if (refused && isClosed) return tellPresser(Object.values(refused).join(' '));
    if (!isClosed) await (refused ? ack({ response_action: 'errors', errors: { ...refused } }) : ack());
    if (!refused) spawn(goOn, tellPresser);
  });
  for (const renamed of ['channel_rename', 'group_rename'] as const)
    app.event(renamed, async ({ event: { channel } }) => around.people.forgetChannel(channel.id));
  app.error(async (error) => log.bug(error));

  /** Who waits for it is told when it goes wrong. */
  function spawn(work: () => Promise<void>, tellThem: Respond): void {
    void work().catch((error: unknown) => {
      tellTrouble(log, error);
      return tellThem(troubleWords(error));
    });
  }
}

/** Slack takes it for half an hour; what comes later nobody waits for. */
function toResponding(respond: RespondFn): Respond {
  return async (text) => {
    const said = { response_type: 'ephemeral', replace_original: false, text: escapeMrkdwn(text) } as const;
    await respond(said).catch(() => undefined);
  };
}
