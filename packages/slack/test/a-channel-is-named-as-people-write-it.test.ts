// The promise: a pattern is an id only when it is written as Slack writes ids; what could be a name too is tried as both, and everything else is a name, or a glob of names.

import { expect, test } from 'vitest';
import type { Channel } from '../src/route/channels.ts';
import { needsName, route } from '../src/route/route.ts';
import { direct, general, mention, message, post, settingsOf } from './support/settings.ts';

const named = (name: string) => ({ ...general, name });
const fits = (pattern: string, channel = general) =>
  route(settingsOf({ rules: [{ agent: 'a', channels: [pattern], engage: ['channel-posts'] }] }), post(channel)).how ===
  'route';

test.each(['general', '#general', '#General', 'GENERAL?', '#gen*', 'g?neral', ' #general ', '*', '**'])(
  '%s fits #general',
  (pattern) => expect(fits(pattern, named(pattern.startsWith('GENERAL') ? 'general1' : 'general'))).toBe(true),
);

test.each(['generals', '#random', 'gen', 'C0123456788', 'gen.ral', 'general|random', '(general)', '[general]', ''])(
  '%s does not fit #general',
  (pattern) => expect(fits(pattern)).toBe(false),
);

test('a name that begins as ids do is a name', () => {
  for (const name of ['central', 'Central', '#Central', 'Customers', 'Growth', 'Design', '#GENERAL'])
    expect(fits(name, named(name.replace('#', '').toLowerCase()))).toBe(true);
  expect(fits('Central', named('general'))).toBe(false);
});

test('an id fits its channel whatever that is called, and no name', () => {
  expect(fits(general.id, { ...general, name: undefined })).toBe(true);
  expect(fits(general.id, { id: 'C0000000001', name: general.id.toLowerCase(), isDirect: false })).toBe(false);
  expect(fits('C0123*')).toBe(true);
  expect(fits('C09*')).toBe(false);
});

test('what could be an id or a name is tried as both', () => {
  const isDenied = (pattern: string, channel: Channel) =>
    route(settingsOf({ deny: [{ channels: [pattern] }] }), mention(channel)).how === 'denied';
  for (const pattern of ['GENERAL', 'COMPANY', 'COMPANY2026', 'GO2MARKET', 'G20SUMMIT', 'G20*', 'C1H9RESGL']) {
    const name = pattern.toLowerCase().replace('*', '-summit');
    expect(isDenied(pattern, named(name))).toBe(true);
    expect(isDenied(pattern, { id: pattern.replace('*', '1234567'), name: 'random', isDirect: false })).toBe(true);
    expect(isDenied(pattern, named('random'))).toBe(false);
    expect(isDenied(pattern, { ...general, name: undefined })).toBe(true);
    expect(isDenied(pattern, direct)).toBe(false);
    expect(fits(pattern, { ...general, name: undefined })).toBe(false);
    expect(needsName(settingsOf({ deny: [{ channels: [pattern] }] }))).toBe(true);
  }
});

test('direct messages fit their id and the star, and no name', () => {
  const engaged = (channels: string[]) =>
    route(settingsOf({ rules: [{ channels, engage: ['dms'] }], default: { engage: [] } }), message()).how;
  expect(engaged(['*'])).toBe('route');
  expect(engaged([direct.id])).toBe('route');
  for (const pattern of ['#*', '?*', 'D*', 'directmessage']) expect(engaged([pattern])).toBe('unrouted');
});

test('characters that mean something to expressions are letters', () => {
  expect(fits('a.b+c(d)', named('a.b+c(d)'))).toBe(true);
  expect(fits('a.b', named('axb'))).toBe(false);
  expect(fits(`${'*a'.repeat(3)}*`, named('b'.repeat(80)))).toBe(false);
});

test('names are looked up only where a pattern is one', () => {
  expect(needsName(settingsOf())).toBe(false);
  expect(needsName(settingsOf({ rules: [{ channels: ['*', general.id, 'C0*'] }] }))).toBe(false);
  expect(needsName(settingsOf({ rules: [{ channels: ['#general'], enabled: false }] }))).toBe(false);
  expect(needsName(settingsOf({ rules: [{ channels: [general.id, 'Central'] }] }))).toBe(true);
  expect(needsName(settingsOf({ deny: [{ channels: ['secret-*'] }] }))).toBe(true);
  expect(route(settingsOf(), mention()).how).toBe('route');
});
