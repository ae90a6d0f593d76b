// The promise: mentions, channels, links and escaped signs of Slack are words that a model can read, and an escaped sign is never markup.

import { expect, test } from 'vitest';
import { toReadable, withoutMention } from '../src/ask/readable.ts';

const labelOf = (user: string) => ({ U1: 'Jane Doe', U2: 'Eve\nBoss' })[user];

test.each([
  ['Hi <@U1>!', 'Hi @Jane Doe!'],
  ['<@U9> <@W9|bob>', '@U9 @bob'],
  ['<@U2>', '@Eve Boss'],
  ['<#C1|general> <#C2>', '#general #C2'],
  ['<https://example.com/a|the page>', 'the page (https://example.com/a)'],
  ['<https://example.com/?a=1&amp;b=2>', 'https://example.com/?a=1&b=2'],
  ['<http://example.com|example.com> <mailto:a@example.com|a@example.com>', 'example.com a@example.com'],
  ['<https://evil.example|https://bank.example>', 'https://bank.example (https://evil.example)'],
  ['<!here> <!channel|channel> <!subteam^S1|@team> <!subteam^S2>', '@here @channel @team @S2'],
  ['<!date^1700000000^{date}|14 November>', '14 November'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
  ['&amp;lt; &lt;@U1&gt; &nbsp;', '&lt; <@U1> &nbsp;'],
  ['a <b', 'a <b'],
  ['<>', ''],
])('%s is %s', (text, readable) => expect(toReadable(text, labelOf)).toBe(readable));

test('however long', () => {
  const signs = '<'.repeat(100_000);
  expect(toReadable(signs, labelOf)).toBe(signs);
  expect(toReadable(`${'<@U1>'.repeat(10_000)}<`, labelOf)).toHaveLength(90_001);
});

test('our own mention is no part of the request; others are', () => {
  expect(withoutMention('<@UBOT> what is new?', 'UBOT')).toBe('what is new?');
  expect(withoutMention('what, <@UBOT|desk> is new, <@U1>?', 'UBOT')).toBe('what, is new, <@U1>?');
  expect(withoutMention('<@UBOT>', 'UBOT')).toBe('');
  expect(withoutMention('<@UBOTHER> hi', 'UBOT')).toBe('<@UBOTHER> hi');
  expect(withoutMention('<@UBOT>\n  code\n    more', 'UBOT').trim()).toBe('code\n    more');
});
