// The promise: the words of an answer come as they are written, by Slack's streaming calls; at the end the whole of it stands in their place.

import { AgentError, defineAgent, defineTool, type Model } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { AnswerStream } from '../src/run/answer-stream.ts';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

test('an answer streams into a message of its own, and stands rendered in its place', async () => {
  const model = new TypingModel();
  const { slack, told } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const talk = await ask(slack, 'what colour is it?');
  const typing = await model.next();
  const status = await talk.status();
  typing.say('It is **bl').say('ue**, ');
  await slack.until(() => slack.calls('chat.startStream').length === 1, 'a stream');
  const stream = slack.message({ channel: talk.channel, ts: String(talk.ours().at(-1)?.ts) });
  expect(stream).toMatchObject({ isStreaming: true, streamed: 'It is **blue**, ' });
  for (let i = 0; i < 200; i++) typing.say(`word${i} `);
  await slack.until(() => stream.streamed.includes('word199 '), 'the rest');
  typing.say('and so on.').end();
  const answer = await talk.answer();
  await slack.until(() => talk.ours().length === 1, 'the status to go');
  expect(answer.ts).toBe(stream.ts);
  expect(answer.ts).not.toBe(status.ts);
  expect(wordsOf(answer)).toMatch(/^It is blue, word0 word1 .* word199 and so on\.\n/);
  expect(answer.isStreaming).toBe(false);
  const [start] = slack.calls('chat.startStream');
  expect(start?.args).toMatchObject({
    channel: talk.channel,
    thread_ts: talk.ts,
    recipient_user_id: talk.user,
    recipient_team_id: slack.team,
  });
  const order = slack.calls().map(({ method }) => method);
  expect(order.slice(order.indexOf('chat.stopStream'))).toEqual(['chat.stopStream', 'chat.update', 'chat.delete']);
  // It does not stand in the status too.
  const shown = slack.calls('chat.update').filter(({ args }) => args.ts === status.ts);
  expect(shown.length).toBeGreaterThan(0);
  expect(JSON.stringify(shown)).not.toContain('blue');
  // All that was written in a second came at once.
  expect(slack.calls('chat.appendStream').length).toBeLessThanOrEqual(2);
  expect(told).toEqual([]);
});

test('neither a try that broke off nor words before a call stand in the answer', async () => {
  const look = defineTool({
    name: 'look',
    description: 'Looks',
    inputSchema: { type: 'object', properties: {} },
    execute: () => 'Blue.',
  });
  const told: string[] = [];
  let isShown = () => Promise.resolve();
  const say = async (text: string, onDelta: ((delta: { type: 'text'; text: string }) => void) | undefined) => {
    told.push(text);
    onDelta?.({ type: 'text', text });
    await isShown();
  };
  let calls = 0;
  const model: Model = {
    provider: 'test',
    model: 'breaking',
    async call(_, { onDelta }) {
      calls++;
      const usage = { inputTokens: 1, outputTokens: 1 };
      if (calls === 1) {
        await say('I look at it. ', onDelta);
        const content = [
          { type: 'text' as const, text: 'I look at it. ' },
          { type: 'tool-call' as const, id: 'call-1', name: 'look', input: '{}' },
        ];
        return { message: { role: 'assistant', content }, finishReason: 'tool-calls', usage };
      }
      if (calls === 2) {
        await say('The sky is blue, and ', onDelta);
        throw new AgentError('model-network', 'It broke off.', { retryAfterMs: 10 });
      }
      const text = 'The sky is blue, and the sea. ';
      await say(text, onDelta);
      return { message: { role: 'assistant', content: [{ type: 'text', text }] }, finishReason: 'stop', usage };
    },
  };
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.', tools: [look] });
  const { slack } = await openSlackHouse([agent]);
  isShown = () =>
    slack.until(() => talk.ours().some(({ streamed }) => streamed.endsWith(told.at(-1)?.slice(-8) ?? '')), 'the words');
  const talk = await ask(slack, 'what colour is it?');
  const answer = await talk.answer();
  expect(calls).toBe(3);
  expect(wordsOf(answer)).toMatch(/^The sky is blue, and the sea\.\n/);
  // What the second try wrote again is not written twice, and what was said before stays above.
  expect(answer.streamed).toBe('I look at it. \n\nThe sky is blue, and the sea. ');
});

test('what is split between two pieces is as harmless as what comes whole', async () => {
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack } = await openSlackHouse([agent], { settings: { signingSecret: 'secret-of-the-signature' } });
  const talk = await ask(slack, 'who is there?');
  const typing = await model.next();
  const pieces = [
    'Look: <',
    '!channel> and <@U0DESKBOT> and [a bank',
    '](https://evil.example.com) secret-of-the',
    '-signature ',
  ];
  let before = 0;
  for (const piece of pieces) {
    typing.say(piece);
    const grown = () => slack.calls().filter(({ method }) => /chat.(start|append)Stream/.test(method)).length > before;
    await slack.until(grown, piece);
    before = slack.calls().filter(({ method }) => /chat.(start|append)Stream/.test(method)).length;
  }
  const streamed = talk.ours().at(-1)?.streamed ?? '';
  expect(streamed).not.toMatch(/<!|<@|\]\(|secret-of/);
  expect(streamed).toContain('*** ');
  typing.end();
  const answer = await talk.answer();
  expect(JSON.stringify(slack.calls())).not.toContain('secret-of');
  expect(wordsOf(answer)).toContain('<!channel>');
  expect(JSON.stringify(answer.blocks)).not.toMatch(/"type":"(user|broadcast|channel)"/);
});

test('a character that comes in two halves is shown when it is whole', async () => {
  const pieces: unknown[] = [];
  const take = async (_: string, { markdown_text }: Readonly<Record<string, unknown>>) => {
    pieces.push(markdown_text);
    return { ts: '1.2' };
  };
  const asItIs = { strike: (text: string) => text, safeLength: (text: string) => text.length };
  const api = { call: take, attempt: take, offer: take, ...asItIs };
  const stream = new AnswerStream({ api, thread: { team: 'T1', channel: 'C1', ts: '1.1' }, reader: 'U1' });
  for (const draft of ['It is ', 'It is \ud83d', 'It is \ud83d\ude00, and ']) await stream.show(draft);
  expect(pieces).toEqual(['It is ', '😀, and ']);
});
