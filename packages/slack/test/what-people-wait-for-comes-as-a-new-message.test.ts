// The promise: Slack tells nobody of an edit, so a question, and an answer that took its time, are messages of their own; an answer that comes at once stands where it was awaited.

import { type Clock, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { systemClock } from '../../cli/src/platform.ts';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { buttonsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

/** What was said before is read before anybody is asked: as long as that takes, so long it takes. */
async function askAfter(waitMs: number, script: Parameters<typeof scriptedModel>[0]) {
  let later = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + later };
  const agent = defineAgent({ name: 'desk', model: scriptedModel(script), instructions: 'Answer.', ask: 'person' });
  const { slack } = await openSlackHouse([agent], { clock, streaming: false, settings: { historyLimit: 1 } });
  const release = slack.holdNext('conversations.history');
  const talk = await ask(slack, 'go');
  const status = await talk.status();
  later = waitMs;
  return { slack, talk, status, release };
}

test.each([
  ['at once', 0, true],
  ['after a while', 11_000, false],
])('an answer that comes %s', async (_, waitMs, isInPlace) => {
  const { slack, talk, status, release } = await askAfter(waitMs, () => 'Done.');
  release();
  const answer = await talk.answer();
  expect(answer.ts === status.ts).toBe(isInPlace);
  await slack.until(() => talk.ours().length === 1, 'the answer alone');
});

test('a question, however soon', async () => {
  const input = { question: 'Which colour?', choices: ['red', 'blue'] };
  const { slack, talk, status, release } = await askAfter(0, () => ({ calls: [{ name: 'ask_user', input }] }));
  release();
  const question = () => talk.ours().find((message) => buttonsOf(message).includes('blue'));
  await slack.until(() => question() !== undefined && talk.ours().length === 1, 'the question alone');
  expect(question()?.ts).not.toBe(status.ts);
});

test('where Slack lets nobody delete, what showed it at work says that it is over', async () => {
  const { slack, talk, status, release } = await askAfter(11_000, () => 'Done.');
  slack.failNext('chat.delete', 'compliance_exports_prevent_deletion');
  release();
  await talk.answer();
  await slack.until(() => status.text === 'The answer is in this thread.', 'word of it');
  expect(buttonsOf(status)).toEqual([]);
});

test('also where its words were streamed: long ago they are posted anew, and just now they stand where they grew', async () => {
  for (const [waitMs, isInPlace] of [
    [0, true],
    [11_000, false],
  ] as const) {
    let later = 0;
    const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + later };
    const model = new TypingModel();
    const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
    const { slack } = await openSlackHouse([agent], { clock });
    const talk = await ask(slack, 'go');
    const typing = await model.next();
    typing.say('Let me look. ');
    await slack.until(() => slack.calls('chat.startStream').length === 1, 'a stream');
    const stream = talk.ours().find(({ isStreaming }) => isStreaming);
    later = waitMs;
    typing.say('It is blue.').end();
    const answer = await talk.answer();
    expect(answer.ts === stream?.ts).toBe(isInPlace);
    await slack.until(() => talk.ours().length === 1, 'the answer alone');
  }
});
