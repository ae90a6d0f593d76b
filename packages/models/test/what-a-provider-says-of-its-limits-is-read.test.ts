// Every family of names and forms in which providers say what is left, and until when. What cannot be read is not there.

import { describe, expect, test } from 'vitest';
import { readLimits } from '../src/lanes/rate-limit-headers.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const read = (headers: Readonly<Record<string, string>>, clock: () => number | undefined = () => now) =>
  readLimits(new Headers(headers), clock).map(({ counts, left, resetMs }) => [counts, left, resetMs]);

describe('families', () => {
  test.each([
    ['OpenAI', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1s' }, ['requests', 0, 1_000]],
    ['OpenAI', { 'x-ratelimit-remaining-tokens': '149', 'x-ratelimit-reset-tokens': '6m0s' }, ['tokens', 149, 360_000]],
    ['Groq', { 'x-ratelimit-remaining-tokens': '9', 'x-ratelimit-reset-tokens': '7.66s' }, ['tokens', 9, 7_660]],
    ['Azure', { 'x-ratelimit-remaining-tokens': '9', 'x-ratelimit-reset-tokens': '12' }, ['tokens', 9, 12_000]],
    [
      'Cerebras',
      { 'x-ratelimit-remaining-requests-day': '5', 'x-ratelimit-reset-requests-day': '33.5' },
      ['requests', 5, 33_500],
    ],
    [
      'Cerebras',
      { 'x-ratelimit-remaining-tokens-minute': '5', 'x-ratelimit-reset-tokens-minute': '1.5' },
      ['tokens', 5, 1_500],
    ],
    [
      'Anthropic',
      { 'anthropic-ratelimit-requests-remaining': '3', 'anthropic-ratelimit-requests-reset': '2026-03-01T00:00:07Z' },
      ['requests', 3, 7_000],
    ],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-tokens-remaining': '4000',
        'anthropic-ratelimit-tokens-reset': '2026-03-01T01:00:07.25+01:00',
      },
      ['input-tokens', 4_000, 7_250],
    ],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-02-28T19:00:30-05:00',
      },
      ['input-tokens', 0, 30_000],
    ],
    [
      'Anthropic',
      {
        'anthropic-ratelimit-output-tokens-remaining': '0',
        'anthropic-ratelimit-output-tokens-reset': '2026-03-01T00:00:01Z',
      },
      ['output-tokens', 0, 1_000],
    ],
    ['OpenRouter', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now + 41_000}` }, ['requests', 0, 41_000]],
    [
      'seconds since 1970',
      { 'ratelimit-remaining': '1', 'ratelimit-reset': `${now / 1000 + 9}` },
      ['requests', 1, 9_000],
    ],
    ['IETF, first', { 'ratelimit-remaining': '1', 'ratelimit-reset': '30' }, ['requests', 1, 30_000]],
    ['IETF, then', { ratelimit: 'limit=100, remaining=50, reset=5' }, ['requests', 50, 5_000]],
    ['IETF, now', { ratelimit: '"default";r=50;t=30' }, ['requests', 50, 30_000]],
  ])('%s: %o', (_, headers, expected) => {
    expect(read(headers)).toEqual([expected]);
  });

  test('several at once are all read', () => {
    expect(read({ ratelimit: '"minute";r=5;t=30, "day";r=0;t=3600' })).toEqual([
      ['requests', 5, 30_000],
      ['requests', 0, 3_600_000],
    ]);
    const both = { 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '120ms' };
    expect(read({ ...both, 'x-ratelimit-remaining-tokens': '2', 'x-ratelimit-reset-tokens': '1h2m3.5s' })).toEqual([
      ['requests', 1, 120],
      ['tokens', 2, 3_600_000],
    ]);
  });
});

describe('dates', () => {
  const dated = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now + 5_000}` };

  test('are taken against the date of the answer, so that nobody has to have the right time', () => {
    expect(read({ ...dated, date: 'Sun, 01 Mar 2026 00:00:02 GMT' }, () => 0)).toEqual([['requests', 0, 3_000]]);
  });

  test('are not understood when nobody knows the time', () => {
    expect(read(dated, () => undefined)).toEqual([]);
  });

  test('of the past are over', () => {
    expect(read({ ...dated, 'x-ratelimit-reset': `${now - 5_000}` })).toEqual([['requests', 0, 0]]);
  });
});

test.each([
  [{ 'x-ratelimit-remaining-tokens': '-1', 'x-ratelimit-reset-tokens': '0' }],
  [{ 'x-ratelimit-remaining-requests': 'many', 'x-ratelimit-reset-requests': '1s' }],
  [{ 'x-ratelimit-remaining-requests': '0' }],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '' }],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'soon' }],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1 fortnight' }],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '-4s' }],
  [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '9'.repeat(4_000) }],
  [{ 'anthropic-ratelimit-tokens-remaining': '1', 'anthropic-ratelimit-tokens-reset': '2026-13-45T00:00:00Z' }],
  [{ ratelimit: 'hello' }],
  [{ ratelimit: '"a";r=x;t=5' }],
  [{ 'retry-after': '5' }],
  [{}],
])('nothing is read from %o', (headers) => {
  expect(read(headers as Record<string, string>)).toEqual([]);
});
