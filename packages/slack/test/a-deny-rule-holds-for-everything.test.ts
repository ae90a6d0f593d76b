// The promise: what a deny rule names is answered by nobody, however it was asked, whatever other rules say.

import { expect, test } from 'vitest';
import { route } from '../src/route/route.ts';
import { direct, general, mention, message, nameless, post, settingsOf } from './support/settings.ts';

const everywhere = { channels: ['*'], engage: ['mentions', 'dms', 'channel-posts'] } as const;

test('mentions, direct messages and posts alike, before any rule and the default', () => {
  const settings = settingsOf({ deny: [{ channels: ['*'] }], rules: [everywhere], default: { engage: ['mentions'] } });
  for (const spot of [mention(), message(), post(), post(general, true)])
    expect(route(settings, spot)).toEqual({ how: 'denied' });
});

test('a rule without channels is for all of them; one with kinds is for those alone', () => {
  expect(route(settingsOf({ deny: [{}] }), message())).toEqual({ how: 'denied' });
  const noDirect = settingsOf({ deny: [{ engage: ['dms'] }], rules: [everywhere] });
  expect(route(noDirect, message()).how).toBe('denied');
  expect(route(noDirect, mention()).how).toBe('route');
  const noMentions = settingsOf({ deny: [{ channels: ['#general'], engage: ['mentions'] }], rules: [everywhere] });
  expect(route(noMentions, mention()).how).toBe('denied');
  expect(route(noMentions, post()).how).toBe('route');
});

test('of one channel by its id; others are left alone', () => {
  const settings = settingsOf({ deny: [{ channels: [general.id] }, { channels: [direct.id] }] });
  expect(route(settings, mention()).how).toBe('denied');
  expect(route(settings, message()).how).toBe('denied');
  expect(route(settings, mention({ ...general, id: 'C0123456780' })).how).toBe('route');
});

test('a channel whose name could not be found is denied by any name', () => {
  const settings = settingsOf({ deny: [{ channels: ['#secret'] }], rules: [everywhere] });
  expect(route(settings, mention(nameless)).how).toBe('denied');
  expect(route(settings, mention()).how).toBe('route');
  // Direct messages have no name, and need none.
  expect(route(settings, message()).how).toBe('route');
});

test('posts of bots in a denied place are denied too', () => {
  const settings = settingsOf({ deny: [{ channels: ['gen*'] }], rules: [{ ...everywhere, bots: true }] });
  expect(route(settings, post(general, true)).how).toBe('denied');
});
