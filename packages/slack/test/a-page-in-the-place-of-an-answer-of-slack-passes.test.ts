// The promise: where a page comes instead of an answer of Slack, from a proxy or while Slack is being mended, nothing is taken for refused: it is tried again.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { test } from 'vitest';
import { isAnswered } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';

const page = '<!DOCTYPE html><html><body>503 Service Unavailable</body></html>';

test('a message that was said is answered, and the answer is told', async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => ({ text: 'Here it is.', until: gate.promise }));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack } = await openSlackHouse([agent], { streaming: false });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  slack.failNext('chat.postMessage', page);
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> one` });
  await slack.until(() => model.requests.length === 1, 'the model to be asked');
  slack.failNext('chat.update', page);
  gate.resolve();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Here it is.'), 'the answer');
});
