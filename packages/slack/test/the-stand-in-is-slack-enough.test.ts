// The promise: the stand-in for Slack is held to what a bare app of Bolt expects of Slack.
import { App, HTTPReceiver, LogLevel, type types } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SlackStandIn, startSlack } from './support/slack-stand-in.ts';

const quiet = { unfurl_links: false, unfurl_media: false } as const;

let slack: SlackStandIn;
let app: App;

beforeEach(async () => {
  slack = await startSlack();
  app = newApp();
});

afterEach(async () => {
  await app.stop();
  await slack.close();
});

function newApp(): App {
  return new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 3, minTimeout: 1 } },
  });
}

function buttons(): types.KnownBlock[] {
  return [
    {
      type: 'actions',
      elements: [{ type: 'button', action_id: 'stop', text: { type: 'plain_text', text: 'Stop' }, value: 'session-1' }],
    },
  ];
}

describe('events', () => {
  test('a mention comes as two events, and our own answer comes back', async () => {
    const heard: string[] = [];
    app.event('app_mention', async ({ event, client }) => {
      heard.push(`app_mention ${event.text}`);
      await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: 'Hello.', ...quiet });
    });
    app.event(
      'message',
      async ({ event }) => void heard.push(`${event.channel_type} ${'text' in event ? event.text : ''}`),
    );
    await app.start();
    const [jane, general] = [slack.person('jane'), slack.channel('general')];

    const { ts, events } = await slack.say({ channel: general, user: jane, text: `<@${slack.bot}> hello` });
    await slack.until(() => slack.thread(general, ts).length === 2 && heard.length === 2, 'the answer');

    expect(events.map(({ event }) => event.type)).toEqual(['message', 'app_mention']);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(2);
    expect(heard.sort()).toEqual([`app_mention <@${slack.bot}> hello`, `channel <@${slack.bot}> hello`]);
    expect(slack.thread(general, ts)[1]).toMatchObject({ user: slack.bot, text: 'Hello.', thread_ts: ts });
  });

  test('where the bot is no member, nothing is heard', async () => {
    await app.start();
    const room = slack.channel('elsewhere', { bot: false });
    const { events } = await slack.say({ channel: room, user: slack.person('jane'), text: `<@${slack.bot}>` });
    expect(events).toEqual([]);
    await expect(app.client.chat.postMessage({ channel: room, text: 'x', ...quiet })).rejects.toThrow('not_in_channel');
    const secret = slack.channel('secret', { kind: 'group', bot: false });
    await expect(app.client.chat.postMessage({ channel: secret, text: 'x', ...quiet })).rejects.toThrow(
      'channel_not_found',
    );
  });

  test('a redelivery has the same id, and says that it is one', async () => {
    const seen: unknown[] = [];
    app.event('message', async ({ body, context }) => void seen.push([body.event_id, context.retryNum]));
    await app.start();
    const jane = slack.person('jane');
    const { events } = await slack.say({ channel: slack.dm(jane), user: jane, text: 'hello', silently: true });
    const [event] = events;
    await slack.deliver(event ?? {});
    await slack.deliver(event ?? {}, { retry: 1 });
    await slack.until(() => seen.length === 2);
    expect(seen).toEqual([
      [event?.event_id, 0],
      [event?.event_id, 1],
    ]);
  });

  test('what was not acknowledged when the connection broke comes again as a retry', async () => {
    const heard: unknown[] = [];
    app.event('message', async ({ context }) => void heard.push(context.retryNum));
    await app.start();
    const jane = slack.person('jane');
    await slack.say({ channel: slack.dm(jane), user: jane, text: 'hello' });
    await slack.dropSocket({ how: 'abrupt' });
    await app.stop();
    await app.start();
    await slack.until(() => heard.includes(1));
  });

  test.each(['abrupt', 'refresh'] as const)(
    'what is said while nobody listens is heard afterwards (%s)',
    async (how) => {
      const heard: string[] = [];
      const listenTo = (to: App) =>
        to.event('message', async ({ event }) => void heard.push('text' in event ? String(event.text) : ''));
      listenTo(app);
      await app.start();
      await slack.dropSocket({ how });
      expect(slack.sockets).toBe(0);
      const jane = slack.person('jane');
      await slack.say({ channel: slack.dm(jane), user: jane, text: 'still there?' });
      await app.stop();
      app = newApp();
      listenTo(app);
      await app.start();
      await slack.until(() => heard.length === 1);
      expect(heard).toEqual(['still there?']);
    },
  );
});

describe('what people do', () => {
  test('a button is pressed, acknowledged, and answered by its address', async () => {
    app.action('stop', async ({ ack, respond, action }) => {
      await ack();
      await respond({ text: `stopped ${'value' in action ? action.value : ''}`, response_type: 'ephemeral' });
    });
    await app.start();
    const [jane, general] = [slack.person('jane'), slack.channel('general')];
    const posted = await app.client.chat.postMessage({
      channel: general,
      text: 'Working',
      blocks: buttons(),
      ...quiet,
    });
    const message = slack.message({ channel: general, ts: String(posted.ts) });
    const { ackMs } = await slack.press(message, 'Stop', jane);
    expect(ackMs).toBeLessThan(1000);
    await slack.until(() => slack.ephemerals.length === 1);
    expect(slack.ephemerals[0]).toMatchObject({ channel: general, user: jane, text: 'stopped session-1' });
    await expect(slack.press(message, 'Retry', jane)).rejects.toThrow('there are: Stop');
  });

  test('a command is acknowledged with words, and a form comes of a shortcut', async () => {
    app.command('/ask', async ({ ack, command }) => void (await ack(`you asked ${command.text}`)));
    app.shortcut('ask_about', async ({ ack, client, shortcut }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: form() });
    });
    app.view('form', async ({ ack, view }) => {
      const said = view.state.values.q?.a?.value ?? '';
      await (said === '' ? ack({ response_action: 'errors', errors: { q: 'Say something.' } }) : ack());
    });
    await app.start();
    const [jane, general] = [slack.person('jane'), slack.channel('general')];
    await slack.command({ command: '/ask', text: 'why', channel: general, user: jane });
    expect(slack.ephemerals[0]?.text).toBe('you asked why');

    const { ts } = await slack.say({ channel: general, user: jane, text: 'look at this' });
    await slack.shortcut({ callbackId: 'ask_about', channel: general, ts, user: jane });
    await slack.until(() => slack.views.length === 1);
    const [view] = slack.views;
    if (view === undefined) throw new TypeError('No view.');
    expect(await slack.submit(view, {}, jane)).toMatchObject({ response_action: 'errors' });
    expect(view.isOpen).toBe(true);
    expect(await slack.submit(view, { q: { a: 'yes' } }, jane)).toBeUndefined();
    expect(view.isOpen).toBe(false);
  });

  test('a trigger is over after three seconds', async () => {
    let word = '';
    app.command('/ask', async ({ ack, client, command }) => {
      await ack();
      slack.expireTriggers();
      await client.views
        .open({ trigger_id: command.trigger_id, view: form() })
        .catch((error: Error) => (word = error.message));
    });
    await app.start();
    await slack.command({ command: '/ask', text: '', channel: slack.channel('general'), user: slack.person('jane') });
    await slack.until(() => word !== '');
    expect(word).toContain('expired_trigger_id');
  });
});

describe('calls', () => {
  test('a message is streamed, and is not changed meanwhile', async () => {
    const jane = slack.person('jane');
    const channel = slack.channel('general');
    const { ts } = await slack.say({ channel, user: jane, text: 'tell me' });
    const stream = app.client.chatStream({
      channel,
      thread_ts: ts,
      recipient_team_id: slack.team,
      recipient_user_id: jane,
      buffer_size: 1,
    });
    await stream.append({ markdown_text: '**Hello' });
    const streaming = slack.thread(channel, ts)[1];
    expect(streaming).toMatchObject({ isStreaming: true, streamed: '**Hello' });
    const stands = { channel, ts: streaming?.ts ?? '' };
    await expect(app.client.chat.update({ ...stands, text: 'x' })).rejects.toThrow('streaming_state_conflict');
    await stream.append({ markdown_text: ' world**' });
    await stream.stop();
    expect(slack.thread(channel, ts)[1]).toMatchObject({ isStreaming: false, streamed: '**Hello world**' });
    await expect(app.client.chat.appendStream({ ...stands, markdown_text: 'x' })).rejects.toThrow(
      'message_not_in_streaming_state',
    );
  });

  test('a file is uploaded, and one that is shared is given only with the token', async () => {
    const channel = slack.channel('general');
    await app.client.filesUploadV2({
      channel_id: channel,
      filename: 'answer.md',
      content: '# Long',
      initial_comment: 'All of it',
    });
    expect(slack.uploads).toMatchObject([{ name: 'answer.md', text: '# Long', channel, comment: 'All of it' }]);
    expect(slack.messages(channel)).toMatchObject([{ text: 'All of it', files: [{ name: 'answer.md' }] }]);
    const address = String(
      slack.addFile({ name: 'a.txt', mediaType: 'text/plain', bytes: 'hello' }).url_private_download,
    );
    expect(await (await fetch(address)).text()).toContain('Sign in');
    expect(await (await fetch(address, { headers: { authorization: `Bearer ${slack.botToken}` } })).text()).toBe(
      'hello',
    );
  });

  test('replies come page by page, and history newest first', async () => {
    const [jane, channel] = [slack.person('jane'), slack.channel('general')];
    const { ts } = await slack.say({ channel, user: jane, text: 'root' });
    for (const text of ['one', 'two', 'three']) await slack.say({ channel, user: jane, text, threadTs: ts });
    await slack.say({ channel, user: jane, text: 'later' });
    const texts: unknown[] = [];
    for await (const page of app.client.paginate('conversations.replies', { channel, ts, limit: 2 }))
      texts.push((page as { messages?: { text?: string }[] }).messages?.map(({ text }) => text));
    expect(texts).toEqual([
      ['root', 'one'],
      ['two', 'three'],
    ]);
    const history = await app.client.conversations.history({ channel });
    expect(history.messages?.map(({ text }) => text)).toEqual(['later', 'root']);
  });

  test('who is limited waits, who is refused is told why, and who is held waits for release', async () => {
    const channel = slack.channel('general');
    slack.limitRate('chat.postMessage', { times: 1, retryAfterS: 1 });
    await app.client.chat.postMessage({ channel, text: 'late', ...quiet });
    const [first, second] = slack.calls('chat.postMessage');
    expect(first?.error).toBe('ratelimited');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900);
    slack.failNext('users.info', 'fatal_error');
    await expect(app.client.users.info({ user: slack.person('jane') })).rejects.toThrow('fatal_error');
    const release = slack.holdNext('users.info');
    let isDone = false;
    const held = app.client.users.info({ user: slack.person('jane') }).then(() => (isDone = true));
    await slack.until(() => slack.calls('users.info').length === 2);
    expect(isDone).toBe(false);
    release();
    await held;
    await expect(app.client.auth.test({ token: 'xoxb-wrong' })).rejects.toThrow('invalid_auth');
  });
});

test('over HTTP everything comes signed', async () => {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, port: 0, logLevel: LogLevel.ERROR });
  const served = new App({
    token: slack.botToken,
    receiver,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
  const heard: string[] = [];
  served.event('app_mention', async ({ event }) => void heard.push(event.text));
  served.command('/ask', async ({ ack, command }) => void (await ack(command.text)));
  served.action('stop', async ({ ack }) => void (await ack()));
  const server = await receiver.start(0);
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await slack.useHttp(`http://127.0.0.1:${port}/slack/events`);
  const [jane, channel] = [slack.person('jane'), slack.channel('general')];
  await slack.say({ channel, user: jane, text: `<@${slack.bot}> hi` });
  await slack.until(() => heard.length === 1);
  expect((await slack.command({ command: '/ask', text: 'why', channel, user: jane })).ackPayload).toEqual({
    text: 'why',
  });
  const { ts = '' } = await app.client.chat.postMessage({ channel, text: 'x', blocks: buttons(), ...quiet });
  expect((await slack.press({ channel, ts }, 'Stop', jane)).ackPayload).toBeUndefined();
  await served.stop();
});

function form() {
  return {
    type: 'modal' as const,
    callback_id: 'form',
    title: { type: 'plain_text' as const, text: 'Ask' },
    submit: { type: 'plain_text' as const, text: 'Ask' },
    blocks: [
      {
        type: 'input' as const,
        block_id: 'q',
        optional: true,
        label: { type: 'plain_text' as const, text: 'What?' },
        element: { type: 'plain_text_input' as const, action_id: 'a' },
      },
    ],
  };
}
