// The promise: an agent is told what was said before in its thread or channel, and the files of the message, within bounds.

import { type CameAlong, defineAgent, type SaidBy, type SaidEarlier } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd } from './support/talk.ts';

async function openWith(settings: NonNullable<Parameters<typeof openSlackHouse>[1]>['settings'] = {}) {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack } = await openSlackHouse([agent], { settings: { historyLimit: 100, ...settings } });
  const asked = (call: number) => JSON.stringify(model.requests[call]?.messages.at(-1));
  return {
    slack,
    model,
    asked,
    channel: slack.channel('general'),
    jane: slack.person('jane'),
    joe: slack.person('joe'),
  };
}

test('what was said in the channel comes with a mention, and what was said in between with a further one', async () => {
  const { slack, asked, channel, jane, joe } = await openWith();
  await slack.say({ channel, user: joe, text: 'the printer burns' });
  const { ts } = await askToTheEnd(slack, { channel, user: jane, text: 'what now?' });
  expect(asked(0)).toContain('joe: the printer burns');
  expect(asked(0)).toContain('what now?');
  await slack.say({ channel, user: joe, text: 'it is out now', threadTs: ts });
  await askToTheEnd(slack, { channel, user: jane, text: 'and now?', threadTs: ts });
  expect(asked(1)).toContain('joe: it is out now');
  expect(asked(1)).not.toContain('the printer burns');
  expect(asked(1)).not.toContain('Answer 1.');
});

test('so many messages and no more, and none where a rule says so', async () => {
  const few = await openWith({ historyLimit: 2 });
  for (const text of ['one', 'two', 'three']) await few.slack.say({ channel: few.channel, user: few.joe, text });
  await askToTheEnd(few.slack, { channel: few.channel, user: few.jane, text: 'what now?' });
  expect(few.asked(0)).toContain('joe: three');
  expect(few.asked(0)).not.toContain('joe: one');
  const none = await openWith({ routing: { default: { contextPolicy: 'none' } } });
  await none.slack.say({ channel: none.channel, user: none.joe, text: 'the printer burns' });
  await askToTheEnd(none.slack, { channel: none.channel, user: none.jane, text: 'what now?' });
  expect(none.asked(0)).not.toContain('the printer burns');
});

test('a text file comes as text, and what cannot be read is named', async () => {
  const { slack, asked, channel, jane } = await openWith({ historyLimit: 0 });
  const files = [
    slack.addFile({ name: 'notes.txt', mediaType: 'text/plain', bytes: 'Buy <milk>.' }),
    slack.addFile({ name: 'song.mp3', mediaType: 'audio/mpeg', bytes: 'la la la' }),
  ];
  await askToTheEnd(slack, { channel, user: jane, text: 'what is in it?', files });
  expect(asked(0)).toContain('Buy <milk>.');
  expect(asked(0)).toMatch(/song\.mp3 \(audio\/mpeg[^)]*\) came with it and cannot be read by this agent/);
});

test('a mention in a thread of others brings that thread along, and not the channel', async () => {
  const { slack, asked, channel, jane, joe } = await openWith();
  await slack.say({ channel, user: joe, text: 'the weather is fine' });
  const { ts: threadTs } = await slack.say({ channel, user: joe, text: 'the printer burns' });
  await slack.say({ channel, user: joe, text: 'it is blue smoke', threadTs });
  await askToTheEnd(slack, { channel, user: jane, text: 'what now?', threadTs });
  expect(asked(0)).toMatch(/joe: the printer burns.*joe: it is blue smoke.*what now\?/);
  expect(asked(0)).not.toContain('the weather is fine');
});

test('so many characters and no more', async () => {
  const { slack, asked, channel, jane, joe } = await openWith({ historyCharsCap: 60 });
  for (const text of ['one', 'two', 'three']) await slack.say({ channel, user: joe, text });
  await askToTheEnd(slack, { channel, user: jane, text: 'what now?' });
  expect(asked(0)).toMatch(/Earlier messages are left out.*joe: three/);
  expect(asked(0)).not.toContain('joe: one');
});

test('a post stands for itself, unless its rule says otherwise', async () => {
  const { slack, asked, channel, jane, joe } = await openWith({
    routing: { rules: [{ channels: ['#general'] }, { channels: ['#ops'], contextPolicy: 'channel' }] },
  });
  const ops = slack.channel('ops');
  for (const place of [channel, ops]) await slack.say({ channel: place, user: joe, text: 'before', silently: true });
  const post = async (place: string) => {
    const { ts } = await slack.say({ channel: place, user: jane, text: 'the printer burns' });
    await slack.until(() => JSON.stringify(slack.thread(place, ts)).includes('Retry'), 'an answer');
  };
  await post(channel);
  await post(ops);
  expect([asked(0).includes('joe: before'), asked(1).includes('joe: before')]).toEqual([false, true]);
});

test('in the words of the agent, where it has its own', async () => {
  const model = scriptedModel(() => 'Answer.');
  const texts = {
    saidEarlier: ({ messages }: SaidEarlier) => `Vorher:\n${messages.join('\n')}`,
    saidBy: ({ speaker, text }: SaidBy) => `${speaker} fragt:\n${text}`,
    cameAlong: ({ file }: CameAlong) => `Dabei war ${file}.`,
  };
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.', texts });
  const { slack } = await openSlackHouse([agent], { settings: { historyLimit: 10 } });
  const [channel, jane, joe] = [slack.channel('general'), slack.person('jane'), slack.person('joe')];
  await slack.say({ channel, user: joe, text: 'the printer burns' });
  const { ts } = await askToTheEnd(slack, { channel, user: jane, text: 'what now?' });
  const files = [slack.addFile({ name: 'song.mp3', mediaType: 'audio/mpeg', bytes: 'la la la' })];
  await askToTheEnd(slack, { channel, user: joe, text: 'and now?', threadTs: ts, files });
  const [first, second] = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(first).toMatch(/Vorher:\\n\[[^\]]+\] joe: the printer burns\\n\\nwhat now\?/);
  expect(second).toMatch(/joe fragt:\\nand now\?\\n\\nDabei war song\.mp3 \(audio\/mpeg/);
});
