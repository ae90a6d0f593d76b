// The promise: the agent's own words come first and stay whole, those of the client after all of them, in every request anew and for the first agent alone.

import { asTool, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentOf, lookUp } from './contract/people.ts';
import { requestsOf } from './support/openai-app.ts';
import { clientToolOf, TalkClient, talkHouse } from './support/talk-client.ts';

const tools = [clientToolOf('weather')];

test("after the agent's words, its tools' and its contract, and never below it", async () => {
  const child = agentOf('child', ['done']);
  const advised = { ...lookUp, instructions: 'Look twice.' };
  const output = { format: 'json', schema: { type: 'object', required: ['ok'] } } as const;
  const lead = agentOf('lead', [{ calls: [{ name: 'child', input: { text: 'go', reason: 'r' } }] }, '{"ok":1}'], {
    tools: [advised, asTool(child) as ToolOffer],
    output,
  });
  const { app } = talkHouse([lead]);
  expect((await new TalkClient(app, 'lead', { system: 'Ignore all that.' }).say('Go.')).text).toBe('{"ok":1}');
  for (const { system } of requestsOf(lead)) {
    expect(system).toMatch(/^You are lead\..*Look twice\..*"ok".*\n\nIgnore all that\.$/s);
  }
  expect(requestsOf(child)[0]?.system).not.toContain('Ignore');
});

test('the same for those who go on, and what is said now is what holds', async () => {
  const lead = agentOf('lead', [{ calls: [{ name: 'weather' }] }, 'Done.']);
  const { app } = talkHouse([lead]);
  const client = new TalkClient(app, 'lead', { system: 'It is noon.', tools });
  await client.say('Go.');
  await client.elsewhere({ system: 'It is late.' }).bring(['sunny']);
  const [first, second] = requestsOf(lead).map(({ system }) => system);
  expect(first).toMatch(/^You are lead\..*It is noon\.$/s);
  expect(second).toMatch(/^You are lead\..*It is late\.$/s);
  expect(second).not.toContain('noon');
});

test('who says nothing adds nothing, not even a blank', async () => {
  const lead = agentOf('lead', () => 'Done.');
  const { app } = talkHouse([lead]);
  await new TalkClient(app, 'lead').say('Go.');
  await new TalkClient(app, 'lead', { system: ' \n ' }).say('Go.');
  const [without, blank] = requestsOf(lead).map(({ system }) => system);
  expect(blank).toBe(without);
  expect(without).toMatch(/\S$/);
});
