// The promise: what we said ourselves is never answered, other bots only where a rule says so, and what is edited or taken away not at all.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { fromMention, fromMessage } from '../src/hear/heard.ts';
import { isAnswered, saidTo } from './support/answers.ts';
import { openSlackHouse, type SlackHouseOptions } from './support/slack-house.ts';

async function openDesk(settings: SlackHouseOptions['settings'] = {}) {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const house = await openSlackHouse([agent], { settings });
  const { slack } = house;
  const channel = slack.channel('general');
  const user = slack.person('jane');
  /** Whatever came before it in either place has been taken up, or left alone, when this is answered: messages of a place have their turns in order. */
  const finish = async () => {
    for (const place of [channel, slack.dm(user)]) {
      const { ts } = await slack.say({ channel: place, user, text: `<@${slack.bot}> last` });
      await slack.until(() => isAnswered(slack.thread(place, ts), 'Answer '), 'the last answer');
    }
  };
  const asked = () => model.requests.map((request) => saidTo(request).at(-1));
  return { ...house, channel, user, finish, asked };
}

/** Every post of every channel. */
const posts = { routing: { rules: [{ channels: ['*'], engage: ['channel-posts' as const, 'mentions' as const] }] } };
const postsOfBots = { routing: { rules: posts.routing.rules.map((rule) => ({ ...rule, bots: true })) } };

test('our own messages are not answered, whatever the rules say and wherever they stand', async () => {
  const { slack, channel, user, finish, asked } = await openDesk({ ...postsOfBots, threadReplies: true });
  const { bot, botId } = slack.workspace;
  const own = { type: 'message', channel, channel_type: 'channel', text: 'said by us', team: slack.team };
  const { ts } = await slack.say({ channel, user, text: 'first' });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  // As our posts come: by our user, by our bot alone, as a mention of ourselves, in a direct message, in a thread.
  await slack.deliver({ ...own, user: bot, ts: slack.workspace.nextTs() });
  await slack.deliver({ ...own, bot_id: botId, subtype: 'bot_message', ts: slack.workspace.nextTs() });
  await slack.deliver({
    ...own,
    type: 'app_mention',
    user: bot,
    bot_id: botId,
    text: `<@${bot}> said by us`,
    ts: slack.workspace.nextTs(),
  });
  await slack.deliver({
    ...own,
    user: bot,
    bot_id: botId,
    channel: slack.dm(user),
    channel_type: 'im',
    ts: slack.workspace.nextTs(),
  });
  await slack.deliver({ ...own, user: bot, bot_id: botId, thread_ts: ts, ts: slack.workspace.nextTs() });
  await finish();
  expect(asked()).toEqual(['user: first', 'user: last', 'user: last']);
});

test('posts and mentions of other bots are not answered', async () => {
  const { slack, channel, finish, asked } = await openDesk({ ...posts, threadReplies: true });
  const other = slack.otherBot('build');
  await slack.say({ channel, ...other, text: 'The build is red.' });
  await slack.say({ channel, ...other, text: `<@${slack.bot}> the build is red.` });
  const { ts } = await slack.say({ channel, user: slack.person('joe'), text: 'first' });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  await slack.say({ channel, ...other, text: 'The build is green.', threadTs: ts });
  await slack.say({ channel, ...other, text: `<@${slack.bot}> the build is green.`, threadTs: ts });
  await finish();
  expect(asked()).toEqual(['user: first', 'user: last', 'user: last']);
  expect(slack.ephemerals).toEqual([]);
});

test('where a rule wants them, posts of other bots are answered, also those that mention us, once', async () => {
  const { slack, channel, finish, asked } = await openDesk({ ...postsOfBots, threadReplies: true });
  const other = slack.otherBot('build');
  const red = await slack.say({ channel, ...other, text: 'The build is red.' });
  await slack.until(() => isAnswered(slack.thread(channel, red.ts), 'Answer 1.'));
  const green = await slack.say({ channel, ...other, text: `<@${slack.bot}> the build is green.` });
  await slack.until(() => isAnswered(slack.thread(channel, green.ts), 'Answer 2.'));
  // Two bots that talk with each other would never end.
  await slack.say({ channel, ...other, text: 'Thank you.', threadTs: green.ts });
  // Its thread is looked up first: one further may overtake it, not two.
  await finish();
  await finish();
  expect(asked().filter((words) => words !== 'user: last')).toEqual([
    'user: The build is red.',
    'user: the build is green.',
  ]);
});

test('what is edited, taken away, or only a notice is not answered', async () => {
  const rules = [{ channels: ['#general'], engage: ['channel-posts' as const, 'mentions' as const] }];
  const { slack, channel, user, finish, asked } = await openDesk({ routing: { rules } });
  const { ts } = await slack.say({ channel, user, text: 'first' });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  const events = await slack.edit({ channel, ts, user, text: `<@${slack.bot}> first, I mean` });
  expect(events.map(({ event }) => [event.type, event.subtype])).toEqual([
    ['message', 'message_changed'],
    ['app_mention', undefined],
  ]);
  await slack.remove({ channel, ts });
  // Nobody was asked when it was written.
  const aside = await slack.say({ channel: slack.channel('aside'), user, text: 'to nobody' });
  await slack.edit({ channel: slack.channel('aside'), ts: aside.ts, user, text: `<@${slack.bot}> to you` });
  await slack.say({ channel, user, text: 'has joined the channel', subtype: 'channel_join' });
  const direct = await slack.say({ channel: slack.dm(user), user, text: 'second' });
  await slack.until(() => isAnswered(slack.thread(slack.dm(user), direct.ts), 'Answer 2.'));
  await slack.edit({ channel: slack.dm(user), ts: direct.ts, user, text: 'second, I mean' });
  await finish();
  expect(asked()).toEqual(['user: first', 'user: second', 'user: last', 'user: last']);
});

test('what we said is left alone also where nobody before us leaves it alone', () => {
  const identity = { botUser: 'U0US', botId: 'B0US', team: 'T0', teamName: 'Example', name: 'desk' };
  const said = { type: 'message', channel: 'C0', channel_type: 'channel', ts: '1.0', text: 'hello' };
  const own = [{ user: 'U0US' }, { bot_id: 'B0US' }, { user: 'U0US', bot_id: 'B0US' }];
  for (const who of own) {
    for (const channel_type of ['channel', 'im']) {
      expect(fromMessage({ ...said, channel_type, ...who }, identity)).toBeUndefined();
      expect(fromMention({ ...said, channel_type, ...who }, identity)).toBeUndefined();
    }
  }
  expect(fromMessage({ ...said, user: 'U0JANE' }, identity)).toMatchObject({ how: 'post', isOfBot: false });
  expect(fromMessage({ ...said, bot_id: 'B0BUILD' }, identity)).toMatchObject({ how: 'post', isOfBot: true });
  const edited = { user: 'U0JANE', edited: { user: 'U0JANE', ts: '2.0' } };
  expect(fromMessage({ ...said, ...edited }, identity)).toBeUndefined();
});
