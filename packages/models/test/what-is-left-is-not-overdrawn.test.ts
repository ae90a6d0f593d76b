// What a provider says is left until its next reset is all that is started until then, in whatever headers it says it.

import { describe, expect, test } from 'vitest';
import { busyProvider } from './support/busy-provider.ts';
import { crowd, modelsOf, providerAt, session } from './support/sessions.ts';

type Headers = Readonly<Record<string, string>>;

/** Answers the first with these headers, the others as they come. */
async function arrivalsAfter(first: () => Headers, others: (count: number) => Headers = () => ({}), crowdSize = 4) {
  const provider = await busyProvider((count, response) => {
    const headers = count === 1 ? first() : others(count);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  });
  const models = modelsOf({ mine: providerAt(provider.baseUrl) });
  expect((await session(models, 'mine/a').outcome).status).toBe('completed');
  const outcomes = await Promise.all(crowd(crowdSize, models, 'mine/a').map(({ outcome }) => outcome));
  expect(outcomes.every(({ status }) => status === 'completed')).toBe(true);
  return provider.arrivals.slice(1).map(({ at }) => at);
}

const inASecond = () => Date.now() + 1_000;

const families: Readonly<Record<string, () => Headers>> = {
  requests: () => ({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1s' }),
  tokens: () => ({ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1.0s' }),
  'tokens in seconds': () => ({ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1' }),
  'fewer tokens than it needs': () => ({ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '1s' }),
  'of a day': () => ({ 'x-ratelimit-remaining-requests-day': '0', 'x-ratelimit-reset-requests-day': '1' }),
  'anthropic requests': () => anthropic('requests'),
  'anthropic tokens': () => anthropic('tokens'),
  'anthropic input': () => anthropic('input-tokens'),
  'anthropic output': () => anthropic('output-tokens'),
  OpenRouter: () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${inASecond()}` }),
  'IETF in three': () => ({ 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' }),
  'IETF in one': () => ({ ratelimit: '"minute";r=0;t=1' }),
};

function anthropic(kind: string): Headers {
  return {
    [`anthropic-ratelimit-${kind}-remaining`]: '0',
    [`anthropic-ratelimit-${kind}-reset`]: new Date(inASecond()).toISOString(),
  };
}

test('nothing is left: nobody starts before the reset, whichever family says it', async () => {
  const firsts = await Promise.all(
    Object.entries(families).map(async ([name, headers]) => {
      const [first = 0] = await arrivalsAfter(headers);
      return first > 980 && first < 4_000 ? [] : [`${name}: ${first} ms`];
    }),
  );
  expect(firsts.flat()).toEqual([]);
});

describe('something is left', () => {
  const reset = { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '1s' };

  test('of requests: so many start, the others after the reset', async () => {
    const at = await arrivalsAfter(
      () => ({ ...reset, 'x-ratelimit-remaining-requests': '2' }),
      (count) => (count <= 3 ? { ...reset, 'x-ratelimit-remaining-requests': `${3 - count}` } : {}),
      6,
    );
    expect(at.filter((time) => time < 980)).toHaveLength(2);
    expect(at).toHaveLength(6);
  });

  test('of tokens: those that they suffice for, by estimate', async () => {
    // A request may come to 16384 tokens of output, and some of input.
    const at = await arrivalsAfter(() => ({ ...reset, 'x-ratelimit-remaining-tokens': '34000' }), undefined, 6);
    expect(at.filter((time) => time < 980)).toHaveLength(2);
  });

  test('and the reset is far away: that is only advice', async () => {
    const at = await arrivalsAfter(
      () => ({ 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '6m0s' }),
      () => ({ 'x-ratelimit-remaining-tokens': '10', 'x-ratelimit-reset-tokens': '2h' }),
    );
    expect(Math.max(...at)).toBeLessThan(5_000);
  });
});

test('what nobody can read keeps nobody waiting', async () => {
  const at = await arrivalsAfter(() => ({
    'x-ratelimit-remaining-requests': '-1',
    'x-ratelimit-reset-requests': 'whenever',
    'x-ratelimit-remaining-tokens': 'NaN',
    'anthropic-ratelimit-tokens-remaining': '0',
    'anthropic-ratelimit-tokens-reset': 'yesterday',
    ratelimit: ';;;r=;t=',
    'retry-after': '30',
  }));
  expect(Math.max(...at)).toBeLessThan(5_000);
});
