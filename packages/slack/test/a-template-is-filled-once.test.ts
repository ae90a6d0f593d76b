// The promise: a template gets its values in one pass; what people wrote is never read as a template, an expression or a name of ours.

import { expect, test } from 'vitest';
import { fillTemplate, type TemplateValues, templateKind } from '../src/route/template.ts';

const values: TemplateValues = {
  'channel.name': 'general',
  'channel.id': 'C0123456789',
  'user.id': 'U1',
  'user.label': 'Jane',
  ts: '1700000000.000100',
  text: 'Hello',
  'message.url': 'https://example.slack.com/archives/C0123456789/p1700000000000100',
};

test('every name has its value, as often as it stands there', () => {
  const template = '{channel.name} {channel.id} {user.id} {user.label} {ts} {text} {message.url} {text}';
  expect(fillTemplate(template, values)).toBe(
    `general C0123456789 U1 Jane 1700000000.000100 Hello ${values['message.url']} Hello`,
  );
});

test('values are not filled again', () => {
  const hostile = { ...values, text: '{user.id} {text} {{ts}}', 'user.label': '{text}' };
  expect(fillTemplate('{user.label}: {text}', hostile)).toBe('{text}: {user.id} {text} {{ts}}');
});

test('what is no name stays as it is written', () => {
  const template = '{name} {} {constructor} {toString} { text } {"json": true} {TEXT} {{text}}';
  expect(fillTemplate(template, values)).toBe(
    '{name} {} {constructor} {toString} { text } {"json": true} {TEXT} {Hello}',
  );
});

test('signs of expressions and of replacements are letters, in the template and in values', () => {
  expect(fillTemplate('^(.*)$ [a-z]+ \\d {text} $1', { ...values, text: "$& $1 $` $' $$" })).toBe(
    "^(.*)$ [a-z]+ \\d $& $1 $` $' $$ $1",
  );
  const braces = '{'.repeat(200_000);
  expect(fillTemplate(braces, values)).toBe(braces);
});

test('each engagement has its template', () => {
  expect([templateKind('mentions'), templateKind('dms'), templateKind('channel-posts')]).toEqual([
    'mention',
    'dm',
    'channelPost',
  ]);
});
