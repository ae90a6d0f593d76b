// The promise: rules are tried in their order, and the first that is for this place and this kind of engagement answers.

import { expect, test } from 'vitest';
import { route } from '../src/route/route.ts';
import type { SlackRouting, SlackRule, SlackSettings } from '../src/settings.ts';
import { general, mention, message, nameless, post, settingsOf } from './support/settings.ts';

const agentOf = (settings: SlackSettings, spot: Parameters<typeof route>[1]) => {
  const routed = route(settings, spot);
  return routed.how === 'route' ? (routed.agent ?? 'the primary') : routed.how;
};
const rules = (...list: SlackRule[]): SlackRouting => ({ rules: list });

test('in their order, without those that are switched off', () => {
  const settings = settingsOf(
    rules(
      { agent: 'off', enabled: false, channels: ['*'] },
      { agent: 'posts', channels: ['#general'], engage: ['channel-posts'] },
      { agent: 'first', channels: ['#general'] },
      { agent: 'second', channels: ['#general'] },
    ),
  );
  expect(agentOf(settings, mention())).toBe('first');
  expect(agentOf(settings, post())).toBe('posts');
  expect(agentOf(settings, message())).toBe('the primary');
});

test('a rule gives its agent, its template for the kind, and its context', () => {
  const promptTemplates = { mention: 'm', dm: 'd', channelPost: 'p' };
  const settings = settingsOf(rules({ agent: 'a', channels: ['*'], promptTemplates, contextPolicy: 'none' }));
  expect(route(settings, mention())).toEqual({ how: 'route', agent: 'a', template: 'm', context: 'none' });
  expect(route(settings, message())).toMatchObject({ template: 'd' });
  expect(route(settings, post())).toMatchObject({ template: 'p' });
  const bare = settingsOf(rules({ channels: ['*'] }));
  expect(route(bare, post())).toEqual({ how: 'route', agent: undefined, template: undefined, context: undefined });
});

test('without kinds a rule is for all of them in its channels; without channels posts are not meant', () => {
  const inChannel = settingsOf(rules({ agent: 'a', channels: ['general'] }));
  expect([mention(), post()].map((spot) => agentOf(inChannel, spot))).toEqual(['a', 'a']);
  const anywhere = settingsOf(rules({ agent: 'a' }));
  expect([mention(), message(), post()].map((spot) => agentOf(anywhere, spot))).toEqual(['a', 'a', 'unrouted']);
  const named = settingsOf(rules({ agent: 'a', engage: ['channel-posts'] }));
  expect([mention(), post()].map((spot) => agentOf(named, spot))).toEqual(['the primary', 'a']);
});

test('mentions and direct messages that are switched off are answered only where a rule names them', () => {
  const off = { mentions: false, dms: false };
  expect(agentOf(settingsOf(undefined, off), mention())).toBe('unrouted');
  expect(agentOf(settingsOf(undefined, off), message())).toBe('unrouted');
  expect(agentOf(settingsOf(rules({ agent: 'a', channels: ['*'] }), off), mention())).toBe('unrouted');
  expect(agentOf(settingsOf(rules({ agent: 'a', channels: ['*'] }), off), post())).toBe('a');
  const named = settingsOf(rules({ agent: 'a', channels: ['*'], engage: ['mentions', 'dms'] }), off);
  expect([mention(), message(), post()].map((spot) => agentOf(named, spot))).toEqual(['a', 'a', 'unrouted']);
});

test('posts of other bots need a rule that says so, also when they mention us, and never the default', () => {
  const settings = settingsOf({
    rules: [
      { agent: 'people', channels: ['general'] },
      { agent: 'alerts', channels: ['general'], bots: true },
    ],
    default: { engage: ['mentions', 'dms', 'channel-posts'] },
  });
  expect(agentOf(settings, post(general, true))).toBe('alerts');
  expect(agentOf(settings, mention(general, true))).toBe('alerts');
  expect(agentOf(settings, post())).toBe('people');
  expect(agentOf(settings, message(true))).toBe('unrouted');
  expect(agentOf(settingsOf(), mention(general, true))).toBe('unrouted');
});

test('the default answers mentions and direct messages, or what it names', () => {
  expect([mention(), message(), post()].map((spot) => agentOf(settingsOf(), spot))).toEqual([
    'the primary',
    'the primary',
    'unrouted',
  ]);
  const onlyDirect = settingsOf({ default: { agent: 'd', engage: ['dms'] } });
  expect([mention(), message(), post()].map((spot) => agentOf(onlyDirect, spot))).toEqual([
    'unrouted',
    'd',
    'unrouted',
  ]);
  const posts = settingsOf({ default: { agent: 'd', engage: ['channel-posts'] } });
  expect([mention(), post()].map((spot) => agentOf(posts, spot))).toEqual(['unrouted', 'd']);
  expect(agentOf(settingsOf({ default: { engage: [] } }), mention())).toBe('unrouted');
  expect(route(settingsOf({ default: { contextPolicy: 'channel' } }), mention())).toMatchObject({ context: 'channel' });
});

test('a channel whose name could not be found fits no rule by name', () => {
  const settings = settingsOf(rules({ agent: 'a', channels: ['#*'] }, { agent: 'b', channels: [nameless.id] }));
  expect(agentOf(settings, mention(nameless))).toBe('b');
  expect(agentOf(settings, mention())).toBe('a');
});
