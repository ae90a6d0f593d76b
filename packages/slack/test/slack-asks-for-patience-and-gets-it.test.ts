// The promise: Slack may say "later", or fail: what must arrive does, once; what may be left out is left out.

import { defineAgent } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

async function open({ streaming = false } = {}) {
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  return { ...(await openSlackHouse([agent], { streaming })), model };
}

test('a message and an answer that are refused for now come when the time is over, once', async () => {
  const { slack, model, told } = await open();
  slack.limitRate('chat.postMessage', { times: 1, retryAfterS: 2 });
  const talk = await ask(slack, 'one');
  await talk.status();
  slack.limitRate('chat.update', { times: 1, retryAfterS: 1 });
  (await model.next()).say('First.').end();
  const answer = await talk.answer();
  expect(wordsOf(answer)).toMatch(/^First\.\n/);
  expect(talk.ours()).toHaveLength(1);
  expect(slack.calls('chat.postMessage')).toHaveLength(2);
  expect(slack.calls('chat.update')).toHaveLength(2);
  expect(told).toEqual([]);
});

test('a stream that is to wait loses no word', async () => {
  const { slack, model } = await open({ streaming: true });
  slack.limitRate('chat.startStream', { times: 1, retryAfterS: 2 });
  slack.limitRate('chat.appendStream', { times: 1, retryAfterS: 1 });
  const talk = await ask(slack, 'one');
  const typing = (await model.next()).say('One ');
  await slack.until(() => talk.ours().some(({ streamed }) => streamed === 'One '), 'the stream');
  typing.say('two ');
  await slack.until(() => talk.ours().some(({ streamed }) => streamed === 'One two '), 'the rest');
  typing.say('three.').end();
  expect(wordsOf(await talk.answer())).toMatch(/^One two three\.\n/);
});

test('what fails on the way is tried again', async () => {
  const { slack, model } = await open();
  slack.failNext('chat.postMessage', 500);
  slack.failNext('chat.update', 'internal_error');
  const talk = await ask(slack, 'one');
  (await model.next()).say('First.').end();
  expect(wordsOf(await talk.answer())).toMatch(/^First\.\n/);
  expect(talk.ours()).toHaveLength(1);
});

test('a message that somebody deleted is written anew, and a channel that is closed is told to who runs it', async () => {
  const { slack, model, told, headend } = await open();
  const talk = await ask(slack, 'one');
  await slack.remove(await talk.status());
  (await model.next()).say('First.').end();
  expect(wordsOf(await talk.answer())).toMatch(/^First\.\n/);
  slack.failNext('chat.postMessage', 'is_archived');
  await ask(slack, 'two', { in: 'random' });
  await slack.until(() => told.length === 1 && headend.running === 0, 'that it is closed');
  expect(told).toEqual(['Slack refused chat.postMessage: is_archived.']);
});

test('a file comes when the time is over, once; a view comes at once or is told of', async () => {
  const { slack, model, told } = await open();
  const talk = await ask(slack, 'one');
  (await model.next()).say('First.').end();
  const answer = await talk.answer();
  const methods = ['views.open', 'files.getUploadURLExternal', 'files.completeUploadExternal'];
  for (const method of methods) slack.limitRate(method, { times: 1, retryAfterS: 1 });
  await slack.press(answer, 'Details', talk.user);
  await slack.press(answer, 'Download JSON', talk.user);
  await slack.until(() => slack.calls(methods[2]).length === 2 && slack.ephemerals.length === 1, 'both');
  expect(methods.map((method) => slack.calls(method).length)).toEqual([1, 2, 2]);
  expect(slack.uploads).toHaveLength(1);
  // What opens a view is good for three seconds.
  expect(slack.ephemerals[0]?.text).toBe('Slack did not open it in time: press it again.');
  expect(told).toEqual(['Slack refused views.open: ratelimited.']);
});
