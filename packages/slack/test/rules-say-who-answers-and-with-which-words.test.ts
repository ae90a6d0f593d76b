// The promise: ids, globs and kinds of engagement of a rule choose the agent for what is really said in Slack, its templates say what the agent is asked, and a deny rule for one kind spares the others.

import { asTool, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { SlackRouting } from '../src/index.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { startSlack } from './support/slack-stand-in.ts';

async function openWith(toRouting: (ids: { readonly vault: string }) => SlackRouting) {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const jane = slack.person('jane');
  const vault = slack.channel('vault');
  const names = ['first', 'second', 'third'];
  const models = names.map((name) => scriptedModel(() => `I am ${name}.`));
  const agents = names.map((name, i) =>
    defineAgent({ name, model: models[i] ?? 'none/none', instructions: 'Answer.' }),
  );
  await openSlackHouse(agents, { slack, settings: { routing: toRouting({ vault }) } });
  /** Who answers, by its first words. */
  const ask = async (channel: string, text: string) => {
    const { ts } = await slack.say({ channel, user: jane, text });
    const shown = () => JSON.stringify(slack.thread(channel, ts));
    await slack.until(() => shown().includes('Retry'), 'an answer');
    return { who: /I am (\w+)\./.exec(shown())?.[1], ts };
  };
  const asked = (of: number) => models[of]?.requests.map(({ messages }) => JSON.stringify(messages.at(-1))) ?? [];
  return { slack, jane, vault, ask, asked, mention: `<@${slack.bot}>` };
}

test('by id, by glob, and by the kind of engagement', async () => {
  const { slack, jane, vault, ask, mention } = await openWith((ids) => ({
    rules: [
      { channels: [ids.vault], agent: 'second' },
      { channels: ['#ops-*'], engage: ['channel-posts'], agent: 'third' },
      { engage: ['dms'], agent: 'third' },
    ],
  }));
  const ops = slack.channel('ops-night');
  expect((await ask(vault, `${mention} hello`)).who).toBe('second');
  expect((await ask(ops, 'a post')).who).toBe('third');
  expect((await ask(ops, `${mention} hello`)).who).toBe('first');
  expect((await ask(slack.dm(jane), 'hello')).who).toBe('third');
  expect((await ask(slack.channel('general'), `${mention} hello`)).who).toBe('first');
});

test('a deny rule for posts leaves mentions, and one for mentions leaves posts', async () => {
  const { slack, jane, ask, mention } = await openWith(() => ({
    deny: [
      { channels: ['#quiet'], engage: ['channel-posts'] },
      { channels: ['#feed'], engage: ['mentions'] },
    ],
    rules: [{ channels: ['quiet', 'feed'], agent: 'second' }],
  }));
  const [quiet, feed] = [slack.channel('quiet'), slack.channel('feed')];
  const post = await slack.say({ channel: quiet, user: jane, text: 'a post' });
  expect((await ask(quiet, `${mention} hello`)).who).toBe('second');
  expect(slack.thread(quiet, post.ts)).toHaveLength(1);
  const { ts } = await slack.say({ channel: feed, user: jane, text: `${mention} hello` });
  await slack.until(() => slack.ephemerals.length === 1, 'a refusal');
  expect((await ask(feed, 'a post')).who).toBe('second');
  expect(slack.thread(feed, ts)).toHaveLength(1);
});

test('templates of mentions and of direct messages, with all that they name', async () => {
  const promptTemplates = {
    mention: 'M {user.label} ({user.id}) in #{channel.name} ({channel.id}) at {ts}: {text} see {message.url}',
    dm: 'D {user.label}: {text} {nobody}',
  };
  const { slack, jane, ask, asked, mention } = await openWith(() => ({ default: { promptTemplates } }));
  const channel = slack.channel('general');
  const { ts } = await ask(channel, `${mention} what is {user.id}?`);
  await ask(slack.dm(jane), 'and now?');
  const [inChannel, direct] = asked(0);
  expect(inChannel).toContain(`M jane (${jane}) in #general (${channel}) at ${ts}: what is {user.id}? see https://`);
  expect(direct).toContain('D jane: and now? {nobody}');
});

test('where posts are answered, who asked goes on without a mention, and nobody else does', async () => {
  const { slack, jane, ask, asked } = await openWith(() => ({
    rules: [{ channels: ['#support'], engage: ['channel-posts'], agent: 'second' }],
    default: { engage: ['mentions'] },
  }));
  const support = slack.channel('support');
  const { ts } = await ask(support, 'My order is late.');
  await slack.say({ channel: support, user: slack.person('joe'), text: 'lunch?', threadTs: ts });
  await slack.say({ channel: support, user: jane, text: 'It is number 77.', threadTs: ts });
  await slack.until(() => asked(1).length === 2, 'the second');
  expect(asked(1)[1]).toContain('It is number 77.');
  const general = slack.channel('general');
  const other = await ask(general, `<@${slack.bot}> hello`);
  await slack.say({ channel: general, user: jane, text: 'thank you', threadTs: other.ts });
  await ask(slack.channel('elsewhere'), `<@${slack.bot}> last`);
  expect(asked(0).map((said) => /hello|thank|last/.exec(said)?.[0])).toEqual(['hello', 'last']);
});

test('a channel that gets another name is under the rules of that name at once', async () => {
  const { slack, jane, ask, mention } = await openWith(() => ({ deny: [{ channels: ['#exec-*'] }] }));
  const channel = slack.channel('plans');
  expect((await ask(channel, `${mention} hello`)).who).toBe('first');
  const known = slack.workspace.channels.get(channel);
  if (known) slack.workspace.channels.set(channel, { ...known, name: 'exec-plans' });
  await slack.deliver({ type: 'channel_rename', channel: { id: channel, name: 'exec-plans', created: 1 } });
  await slack.say({ channel, user: jane, text: `${mention} and now?` });
  await slack.until(() => slack.ephemerals.length === 1, 'a refusal');
});

test('who names nobody means the agent that works for no other', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const clerk = defineAgent({
    name: 'clerk',
    description: 'Helps.',
    model: scriptedModel(() => 'I am clerk.'),
    instructions: 'Answer.',
  });
  const model = scriptedModel(() => 'I am lead.');
  const lead = defineAgent({ name: 'lead', model, instructions: 'Answer.', tools: [asTool(clerk)] });
  await openSlackHouse([clerk, lead], { slack });
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> hello` });
  await slack.until(() => JSON.stringify(slack.thread(channel, ts)).includes('I am lead.'), 'an answer');
});

test('the same where nothing but posts is answered', async () => {
  const channelPost = 'Post: {text}';
  const { slack, jane, ask, asked } = await openWith(() => ({
    rules: [{ channels: ['#support'], engage: ['channel-posts'], agent: 'second', promptTemplates: { channelPost } }],
    default: { engage: [] },
  }));
  const support = slack.channel('support');
  const { ts } = await ask(support, 'My order is late.');
  await slack.say({ channel: support, user: jane, text: 'It is number 77.', threadTs: ts });
  await slack.until(() => asked(1).length === 2, 'the second');
  expect(asked(1)[1]).toContain('Post: It is number 77.');
});
