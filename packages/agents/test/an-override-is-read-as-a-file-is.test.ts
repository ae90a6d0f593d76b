// The promise: what the command line says of options is read by the same table as files: spellings, unset words, complaints.

import { expect, test } from 'vitest';
import { flags, options, Problems, readFlags, readOverrides, toFlag, toLine } from '../src/index.ts';

function override(...given: readonly string[]) {
  const problems = new Problems();
  const said = readOverrides(given, problems);
  return {
    said: Object.fromEntries([...said].map(([key, { value }]) => [key, value])),
    told: problems.all.map((one) => toLine(one)),
  };
}

function flag(...given: readonly (readonly [string, string])[]) {
  const problems = new Problems();
  const said = readFlags(given, problems);
  return {
    said: Object.fromEntries([...said].map(([key, { value }]) => [key, value])),
    told: problems.all.map((one) => toLine(one)),
  };
}

test.each([
  ['maxTurns=3', { maxTurns: 3 }],
  ['max-turns=3', { maxTurns: 3 }],
  [' max-turns =3', { maxTurns: 3 }],
  ['max-tool-calls-per-turn=2', { maxToolCallsPerTurn: 2 }],
  ['llmTimeout=2m', { llmTimeout: 120_000 }],
  ['tool-timeout=1500', { toolTimeout: 1_500 }],
  ['temperature=none', { temperature: null }],
  ['top-p=NULL', { topP: null }],
  ['topK=off', { topK: null }],
  ['repeat-penalty=unset', { repeatPenalty: null }],
  ['temperature=default', { temperature: null }],
  ['models=openai/a, ollama/b', { models: ['openai/a', 'ollama/b'] }],
  ['models=house/a=b', { models: ['house/a=b'] }],
  ['reasoning=', { reasoning: 'default' }],
  ['reasoningTokens=disabled', { reasoningTokens: 0 }],
  ['cache=off', { cache: 'off' }],
  ['caching=none', { caching: 'none' }],
  ['budget.costUsd=0.5', { 'budget.costUsd': 0.5 }],
  ['budget-cost-usd=0.5', { 'budget.costUsd': 0.5 }],
  ['budget.cost-usd=0.5', { 'budget.costUsd': 0.5 }],
  ['hints.parallel=2', { 'hints.parallel': 2 }],
  ['hold=pool:3', { hold: { pool: 3 } }],
  ['ask=person', { ask: 'person' }],
  ['no-batch', { 'no-batch': true }],
  ['no-progress', { 'no-progress': true }],
  ['no-progress=0', { 'no-progress': false }],
  ['stream=1', { stream: true }],
  ['stream=false', { stream: false }],
])('--override %s', (pair, said) => {
  expect(override(pair)).toEqual({ said, told: [] });
});

test.each([
  ['maxTurns', '--override: error: maxTurns: has no value; write maxTurns=value'],
  ['max-turns', '--override: error: max-turns: has no value; write maxTurns=value'],
  ['max-turns=lots', '--override: error: max-turns: found "lots"; must be a whole number from 1'],
  ['temperature=', expect.stringMatching(/^--override: error: temperature: found ""; must be a number from 0 to 2, /)],
  ['maxTurn=3', '--override: error: maxTurn: cannot be overridden; did you mean maxTurns?'],
  ['no-bach', '--override: error: no-bach: cannot be overridden; did you mean no-batch?'],
  [
    'description=x',
    expect.stringMatching(/^--override: error: description: cannot be overridden; known are ask, hold, /),
  ],
  ['tools=github', expect.stringMatching(/^--override: error: tools: cannot be overridden; /)],
  ['=3', expect.stringMatching(/^--override: error: : cannot be overridden; /)],
  ['', expect.stringMatching(/cannot be overridden/)],
  ['constructor=3', expect.stringMatching(/^--override: error: constructor: cannot be overridden; /)],
])('--override %s is refused', (pair, told) => {
  expect(override(pair)).toEqual({ said: {}, told: [told] });
});

test('of several, the last wins, and every wrong one is told', () => {
  expect(override('maxTurns=3', 'max-turns=4').said).toEqual({ maxTurns: 4 });
  expect(override('a=1', 'maxTurns=0', 'topK=2')).toMatchObject({ said: { topK: 2 }, told: { length: 2 } });
});

/** By hand, from the reference: what people have in their scripts. */
const knownFlags = [
  '--models --tools --agents --plugins --advisors --handoff --temperature --top-p --top-k --repeat-penalty',
  '--llm-timeout-ms --tool-timeout-ms --tool-response-max-bytes --max-retries --max-turns --cache --caching --reasoning',
  '--max-output-tokens --max-tool-calls-per-turn --reasoning-tokens',
]
  .join(' ')
  .split(' ');

test.each(knownFlags)('%s is a flag', (name) => {
  expect(flags.has(name)).toBe(true);
});

test('every option that may be a flag is one, in kebab case, and says so with the same value', () => {
  const rows = options.filter(({ said }) => said.includes('flag'));
  expect(new Set([...flags.values()])).toEqual(new Set(rows));
  for (const { key } of rows) expect(flags.get(toFlag(key))?.key).toBe(key);
  expect([toFlag('maxToolCallsPerTurn'), toFlag('budget.costUsd'), toFlag('topP')]).toEqual([
    '--max-tool-calls-per-turn',
    '--budget-cost-usd',
    '--top-p',
  ]);
});

test('flags are read as overrides are', () => {
  expect(
    flag(['--max-turns', '3'], ['--llm-timeout-ms', '5s'], ['--llm-timeout', '6s'], ['--temperature', 'none']),
  ).toEqual({
    said: { maxTurns: 3, llmTimeout: 6_000, temperature: null },
    told: [],
  });
  expect(flag(['--max-turns', 'x'], ['--nobody', '3'])).toEqual({
    said: {},
    told: ['the command line: error: --max-turns: found "x"; must be a whole number from 1'],
  });
});
