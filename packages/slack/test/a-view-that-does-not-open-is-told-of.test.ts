// The promise: who presses a button whose view Slack does not open is told to press it again, and so is who runs the server.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

test('Details, too late', async () => {
  const model = scriptedModel(() => 'Blue.');
  const { slack, told } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { messages } = await askToTheEnd(slack, { channel, user, text: 'hello' });
  slack.failNext('views.open', 'expired_trigger_id');
  await slack.press(messages[0] as Message, 'Details', user);
  await slack.until(() => slack.ephemerals.length === 1, 'word of it');
  expect(slack.ephemerals[0]).toMatchObject({ ephemeralFor: user, text: expect.stringContaining('press it again') });
  await expect.poll(() => told).toEqual(['Slack refused views.open: expired_trigger_id.']);
});
