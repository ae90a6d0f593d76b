// The promise: a request that is ended while it waits for a place changes nothing: the next one in its thread hears of it.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { saidTo, wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask, askToTheEnd } from './support/talk.ts';

test('cancelled by who asked', async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => ({
    text: `Answer ${call}.`,
    until: call === 1 ? gate.promise : Promise.resolve(),
  }));
  const { slack, hall } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], {
    places: { slack: { running: 1 } },
    settings: { historyLimit: 10 },
  });
  await ask(slack, 'at work', { in: 'random', by: 'joe' });
  await slack.until(() => model.requests.length === 1);
  const { channel, user, ts, status, ours } = await ask(slack, 'the word is banana');
  await slack.until(() => /waits/i.test(ours().map(wordsOf).join()), 'that it waits');
  await slack.press(await status(), 'Cancel', user);
  await slack.until(() => ours().map(wordsOf).join().includes('Cancelled by jane before it began.'), 'its end');
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([]);
  gate.resolve();
  await askToTheEnd(slack, { channel, user, text: 'do it after all', threadTs: ts });
  const request = model.requests[1];
  expect(request && saidTo(request).join('\n')).toMatch(/the word is banana[\s\S]*do it after all/);
});
