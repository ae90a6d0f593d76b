// The promise: no token of ours, no value of an overlay and nothing of the shape of a key is in anything that Slack is told, whole or in part.

import { asTool, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { openSlackHouse } from './support/slack-house.ts';
import type { SlackStandIn } from './support/slack-stand-in.ts';
import { askToTheEnd, whenEnded } from './support/talk.ts';

const overlay = { HOUSE_API_KEY: 'overlay-value-that-nobody-may-see' };

function expectNone(slack: SlackStandIn, told: readonly string[]) {
  const all = [slack.calls().map(({ args }) => args), slack.uploads.map(({ text }) => text), slack.messages('C'), told];
  const text = JSON.stringify(all);
  for (const secret of [slack.botToken, slack.appToken, slack.signingSecret, overlay.HOUSE_API_KEY])
    expect(text).not.toContain(secret);
}

const shaped = `sk-ant-api03-${'Ab3dEf6hIj9l'.repeat(4)}`;

const secretsOf = ({ botToken, appToken, signingSecret }: SlackStandIn) =>
  `${botToken} and ${appToken} and ${signingSecret} and ${overlay.HOUSE_API_KEY}`;

test('in an answer, its download and its details', async () => {
  let words = '';
  const model = scriptedModel(() => words);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const served = { name: 'desk', agent, session: { envOverlay: overlay } };
  const { slack, told } = await openSlackHouse([served], { settings: { signingSecret: 'stand-in-signing-secret' } });
  words = `Said: ${secretsOf(slack)}.`;
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { messages } = await askToTheEnd(slack, { channel, user, text: 'Tell me.' });
  expect(messages[0]?.text).toContain('Said: ');
  await slack.press(messages[0] as never, 'Download JSON', user);
  await slack.until(() => slack.uploads.length === 1, 'a file');
  await slack.press(messages[0] as never, 'Details', user);
  await slack.until(() => slack.calls('views.update').length === 1);
  expectNone(slack, told);
});

test('in what is streamed, where one comes in two pieces, and in a failure', async () => {
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const broken = scriptedModel(() => ({
    fail: { code: 'model-auth', message: `No: ${overlay.HOUSE_API_KEY} stand-in-signing-secret` },
  }));
  const failing = defineAgent({ name: 'failing', model: broken, instructions: 'Answer.' });
  const session = { envOverlay: overlay };
  const { slack, told } = await openSlackHouse(
    [
      { name: 'desk', agent, session },
      { name: 'failing', agent: failing, session },
    ],
    {
      settings: {
        signingSecret: 'stand-in-signing-secret',
        routing: { rules: [{ channels: ['#fail'], agent: 'failing' }] },
      },
    },
  );
  const user = slack.person('jane');
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> hello` });
  const typing = await model.next();
  const all = secretsOf(slack);
  const half = all.indexOf('signing') + 3;
  typing.say(`Words. ${all.slice(0, half)}`);
  await slack.until(() => slack.calls('chat.startStream').length === 1, 'a stream');
  typing.say(all.slice(half));
  await slack.until(() => slack.calls('chat.appendStream').length >= 1, 'a piece');
  const streamed = slack
    .thread(channel, ts)
    .map(({ streamed: text }) => text.replaceAll('\u2060', ''))
    .join('');
  expect(streamed).toContain('Words.');
  for (const secret of [slack.botToken, slack.signingSecret, overlay.HOUSE_API_KEY])
    expect(streamed).not.toContain(secret);
  typing.end();
  await whenEnded(slack, { channel, ts });
  await askToTheEnd(slack, { channel: slack.channel('fail'), user, text: 'hello' });
  expectNone(slack, told);
});

test('in the titles of who worked on it, and where it only has the shape of a key', async () => {
  const child = scriptedModel(() => 'Worked.');
  const worker = defineAgent({ name: 'worker', model: child, instructions: 'Work.', description: 'Works.' });
  let title = '';
  const model = scriptedModel((_, call) =>
    call === 1 ? { calls: [{ name: 'worker', input: { prompt: 'Go.', reason: title, title } }] } : `It is ${shaped}.`,
  );
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.', tools: [asTool(worker)] });
  const { slack, told } = await openSlackHouse([agent]);
  title = `With ${slack.botToken} and ${shaped}`;
  const user = slack.person('jane');
  const { messages } = await askToTheEnd(slack, { channel: slack.channel('general'), user, text: 'Tell me.' });
  await slack.press(messages[0] as never, 'Details', user);
  await slack.until(() => slack.calls('views.update').length === 1, 'details');
  expect(JSON.stringify(slack.calls('views.update'))).toContain('With ***');
  expectNone(slack, told);
  expect(JSON.stringify(slack.calls())).not.toContain(shaped);
});

test('in what is streamed, where one of several words comes word by word', async () => {
  const signingSecret = 'open! the big door, please';
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack } = await openSlackHouse([agent], { settings: { signingSecret } });
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> hello` });
  const typing = await model.next();
  typing.say('They say: open! the big ');
  await slack.until(() => slack.calls('chat.startStream').length === 1, 'a stream');
  typing.say('door, please. That is it, and no more of it.');
  await slack.until(() => slack.calls('chat.appendStream').length === 1, 'a piece');
  const [message] = slack.thread(channel, ts).filter(({ streamed }) => streamed !== '');
  expect(message?.streamed).toContain('They say: ***. That is it');
  typing.end();
  await whenEnded(slack, { channel, ts });
  expect(JSON.stringify(slack.calls())).not.toContain('big');
});

test('in what a person gave away in a command', async () => {
  const model = scriptedModel(() => 'Done.');
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const channel = slack.channel('general');
  await slack.command({ command: '/ask', text: `is ${shaped} good?`, channel, user: slack.person('jane') });
  await slack.until(() => JSON.stringify(slack.messages(channel)).includes('Retry'), 'an answer');
  expect(slack.messages(channel)[0]?.text).toMatch(/^jane asks: is .* good\?$/);
  expect(JSON.stringify(slack.calls())).not.toContain(shaped);
});

test.each([
  [600, 114],
  [2_900, 576],
])('in a command that is cut after %i letters, in the middle of one', async (_, words) => {
  const model = scriptedModel(() => 'Done.');
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const channel = slack.channel('general');
  const text = `${'word '.repeat(words)}${shaped} ${'end '.repeat(900)}`;
  await slack.command({ command: '/ask', text, channel, user: slack.person('jane') });
  await slack.until(() => JSON.stringify(slack.messages(channel)).includes('Retry'), 'an answer');
  expect(slack.messages(channel)[0]?.text).toMatch(/^jane asks: word word/);
  expect(JSON.stringify(slack.calls())).not.toContain(shaped.slice(0, 16));
});

test('in an answer to a question that is cut in the middle of one', async () => {
  const model = scriptedModel((request) =>
    request.messages.at(-1)?.role === 'tool'
      ? 'Thank you.'
      : { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
  );
  const agent = defineAgent({ name: 'desk', model, instructions: 'Ask.', ask: 'person' });
  const { slack } = await openSlackHouse([agent]);
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> go` });
  const shown = () => JSON.stringify(slack.thread(channel, ts));
  await slack.until(() => shown().includes('Never mind'), 'a question');
  const text = `${'word '.repeat(35)}${shaped} ${'word '.repeat(30)}`;
  await slack.say({ channel, user, text, threadTs: ts });
  await slack.until(() => shown().includes('Thank you.') && shown().includes('jane: word'), 'the end');
  expect(JSON.stringify(slack.calls())).not.toContain(shaped.slice(0, 16));
});
