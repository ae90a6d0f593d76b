// The promise: what people and channels are called is asked of Slack once in ten minutes, of as many as there is room for, and never fails.

import { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { People } from '../src/ask/people.ts';
import { slackOf, type World } from './support/slack-double.ts';

const world: World = {
  users: {
    U1: { name: 'jdoe', real_name: 'Jane Doe', profile: { display_name: 'Jane', real_name: 'Jane Doe' } },
    U2: { name: 'bob', real_name: 'Bob', profile: { display_name: ' ' } },
    U3: { profile: { display_name: `Eve\n${'x'.repeat(200)}` } },
    U4: {},
  },
  channels: { C1: { name: 'general' }, D1: { is_im: true }, G1: { name: 'mpdm-a--b-1', is_mpim: true } },
};

const open = (others: World = {}) => {
  const [api, clock] = [slackOf({ ...world, ...others }), new FakeClock()];
  return { api, clock, people: new People(api, clock) };
};

test('the display name, else the real one, else the id', async () => {
  const { people } = open();
  expect(await Promise.all(['U1', 'U2', 'U4', 'U9'].map((user) => people.label(user)))).toEqual([
    'Jane',
    'Bob',
    'U4',
    'U9',
  ]);
  expect(await people.label('U3')).toMatch(/^Eve x{76}…$/);
});

test('what a channel is', async () => {
  const { people } = open();
  expect(await people.channelName('C1')).toBe('general');
  expect(await people.channelName('D1')).toBeUndefined();
  expect(await people.channelName('C9')).toBeUndefined();
});

test('asked once, also by several at the same time, and again after ten minutes', async () => {
  const { api, clock, people } = open();
  await Promise.all([people.label('U1'), people.label('U1'), people.channelName('C1'), people.channelName('C1')]);
  clock.advance(10 * 60_000 - 1);
  await people.label('U1');
  expect(api.calls).toHaveLength(2);
  clock.advance(1);
  await Promise.all([people.label('U1'), people.channelName('C1')]);
  expect(api.calls).toHaveLength(4);
});

test('a refusal is the id or nothing, and is asked again after a minute', async () => {
  const { api, clock, people } = open({
    refuses: { 'users.info': 'missing_scope', 'conversations.info': 'missing_scope' },
  });
  const ask = async () => [await people.label('U1'), await people.channelName('C1')];
  expect(await ask()).toEqual(['U1', undefined]);
  expect(await ask()).toEqual(['U1', undefined]);
  expect(api.calls).toHaveLength(2);
  clock.advance(60_000);
  await ask();
  expect(api.calls).toHaveLength(4);
});

test('a thousand are kept; the oldest go first', async () => {
  const { api, people } = open();
  for (let index = 0; index <= 1_000; index++) await people.channelName(`C${index + 100}`);
  expect(api.calls).toHaveLength(1_001);
  await people.channelName('C1100');
  expect(api.calls).toHaveLength(1_001);
  await people.channelName('C100');
  expect(api.calls).toHaveLength(1_002);
});
