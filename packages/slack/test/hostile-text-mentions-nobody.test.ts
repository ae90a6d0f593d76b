// The promise: no text of a model, a provider or a person calls anybody, wherever it is shown, nor shows one address for another.

import { asTool, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import type { SlackStandIn } from './support/slack-stand-in.ts';
import { askToTheEnd, whenEnded } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

const hostile =
  '<!channel> <!here|here> <@U0DESKBOT> <#C0000000> @here @everyone &lt;!channel&gt; <https://evil.example|https://bank.example> ' +
  '[https://bank.example](https://evil.example) \u202egnihsihp\u202c bank\u200b.example *bold* `code`';

/** The stand-in notes mentions and links that read like another address; here is what it cannot know. */
function expectHarmless(slack: SlackStandIn): void {
  for (const { method, args } of slack.calls()) {
    if (!/^(?:chat|views)\./.test(method)) continue;
    const all = JSON.stringify(args);
    expect(all).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069]/);
    expect(all).not.toMatch(/"type":"(?:user|broadcast|usergroup|channel)"/);
    const raw = [args.text, args.markdown_text].filter((text) => typeof text === 'string').join('\n');
    expect(raw).not.toMatch(/<[!@#]|@(?:here|channel|everyone)|&lt;!channel&gt;<|\]\(/);
    expect(args.parse ?? 'none').toBe('none');
    expect(args.link_names ?? false).toBe(false);
  }
}

test.each([true, false])('an answer and its draft, streaming %s', async (streaming) => {
  const model = new TypingModel();
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], {
    streaming,
  });
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> hello` });
  const typing = await model.next();
  typing.say(hostile.slice(0, 40));
  const draws = streaming ? 'chat.startStream' : 'chat.update';
  await slack.until(() => JSON.stringify(slack.calls(draws)).includes('channel'), 'a draft');
  // A sign that one piece begins and the next one ends.
  typing
    .say(`${hostile.slice(40)} <`)
    .say('!channel> [https://bank.example]')
    .say('(https://evil.example)')
    .end();
  const [answer] = await whenEnded(slack, { channel, ts });
  expectHarmless(slack);
  // Nobody loses words to it.
  expect(wordsOf(answer ?? { blocks: [] })).toContain('<!channel> <!here|here> <@U0DESKBOT>');
});

test('titles of children, questions, choices, labels and the question of a command', async () => {
  const gate = Promise.withResolvers<void>();
  const child = defineAgent({
    name: 'child',
    model: scriptedModel([{ text: 'done', until: gate.promise }]),
    instructions: 'Work.',
    description: 'Works.',
  });
  const model = scriptedModel([
    { calls: [{ name: 'child', input: { prompt: hostile, reason: hostile, title: hostile } }] },
    { calls: [{ name: 'ask_user', input: { question: hostile, choices: [hostile.slice(0, 60), '<!here>'] } }] },
    hostile,
  ]);
  const desk = defineAgent({ name: 'desk', model, instructions: 'Answer.', tools: [asTool(child)], ask: 'person' });
  const { slack } = await openSlackHouse([desk]);
  const user = slack.person('<!channel> Jane \u202e');
  const channel = slack.channel('general');
  await slack.command({ command: '/ask', text: `&lt;!channel&gt; <@${user}|x> ${hostile}`, channel, user });
  await slack.until(() => slack.messages(channel).length > 1, 'a question');
  const ts = slack.messages(channel)[0]?.ts ?? '';
  await slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes('child'), 'the child');
  gate.resolve();
  await whenEnded(slack, { channel, ts });
  expectHarmless(slack);
});

test('a failure, in the words of a provider', async () => {
  const model = scriptedModel([{ fail: { code: 'model-auth', message: hostile } }]);
  const { slack } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const channel = slack.channel('general');
  const { messages } = await askToTheEnd(slack, { channel, user: slack.person('jane'), text: 'hello' });
  expect(messages.map(wordsOf).join('\n')).toContain('Failed (');
  expectHarmless(slack);
});

test('the name of an agent, while it works and under its answer', async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel([{ text: 'Done.', until: gate.promise }]);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack } = await openSlackHouse([{ name: '<!channel> @here <https://evil.example|bank>', agent }]);
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> hello` });
  await slack.until(() => model.requests.length === 1);
  gate.resolve();
  await whenEnded(slack, { channel, ts });
  expectHarmless(slack);
  const inMrkdwn = slack.calls('chat.update').map(({ args }) => JSON.stringify(args).match(/"mrkdwn","text":"[^"]*/g));
  expect(inMrkdwn.flat().join('\n')).toContain('&lt;!channel&gt;');
  expect(inMrkdwn.flat().join('\n')).not.toMatch(/<[!@#h]/);
});

test('a question that was answered in hostile words, by somebody of a hostile name', async () => {
  const model = scriptedModel([
    { calls: [{ name: 'ask_user', input: { question: 'Which colour?', choices: ['red', '<!here> blue'] } }] },
    'Done.',
  ]);
  const { slack } = await openSlackHouse([
    defineAgent({ name: 'desk', model, instructions: 'Answer.', ask: 'person' }),
  ]);
  const channel = slack.channel('general');
  const user = slack.person('<!channel> Jane');
  const { ts, messages } = await askToTheEnd(slack, { channel, user, text: 'hello' });
  await slack.press(messages[0] as Message, '<!here> blue', user);
  await slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes('"Done."'), 'an answer');
  await slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes('Jane: '), 'who answered');
  expectHarmless(slack);
});
