// The promise: a key that nobody knows stops the file, and the sentence has the key that was probably meant.

import { expect, test } from 'vitest';
import { agentFile, loadFiles } from './support/world.ts';

async function told(frontmatter: string): Promise<string | undefined> {
  const { problems, agents } = await loadFiles({ 'desk.ai': agentFile(frontmatter) }, ['desk.ai']);
  expect(agents).toEqual([]);
  expect(problems).toMatchObject([{ code: 'key-unknown', severity: 'error', file: 'desk.ai', line: 3 }]);
  return `${problems[0]?.key}: ${problems[0]?.message}`;
}

test.each([
  ['maxturns: 5', 'maxturns: is not known; did you mean maxTurns?'],
  ['model: x/y', 'model: is not known; did you mean models?'],
  ['Description: x', 'Description: is not known; did you mean description?'],
  ['descripton: x', 'descripton: is not known; did you mean description?'],
  ['llm_timeout: 5', 'llm_timeout: is not known; did you mean llmTimeout?'],
  ['limit: {}', 'limit: is not known; did you mean limits?'],
  ['budgets: {}', 'budgets: is not known; did you mean budget?'],
  ['hint: {}', 'hint: is not known; did you mean hints?'],
  ['budget: { token: 5 }', 'budget.token: is not known; did you mean tokens?'],
  ['limits: { maxTurn: 5 }', 'limits.maxTurn: is not known; did you mean maxTurns?'],
  ['limits: { maxToolTurn: 5 }', 'limits.maxToolTurn: is not known; did you mean maxToolTurns?'],
  ['hints: { paralel: 5 }', 'hints.paralel: is not known; did you mean parallel?'],
  ['output: { formt: json }', 'output.formt: is not known; did you mean format?'],
  ['toolOutput: { maxChunk: 1 }', 'toolOutput.maxChunk: is not known; did you mean maxChunks?'],
  ['limits: { temperature: 1 }', expect.stringMatching(/^limits\.temperature: is not known; known are maxTurns, /)],
  ['zzzzzzzzzzzz: 1', expect.stringMatching(/^zzzzzzzzzzzz: is not known; known are description, usage, .*, limits$/)],
  ['budget.tokens: 5', expect.stringMatching(/^budget\.tokens: is not known; /)],
  ['interleaved: x', expect.stringMatching(/^interleaved: is not known; /)],
  ['no-batch: true', expect.stringMatching(/^no-batch: is not known; /)],
])('%s', async (written, sentence) => {
  expect(await told(written)).toEqual(sentence);
});

test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__'])(
  'what every object has is no key: %s',
  async (key) => {
    expect(await told(`${key}: 1`)).toEqual(expect.stringMatching(new RegExp(`^${key}: is not known; `)));
    for (const outer of ['limits', 'output', 'toolOutput'])
      expect(await told(`${outer}: { ${key}: 1 }`)).toEqual(expect.stringMatching(/ is not known; /));
  },
);

const moved = {
  maxToolTurns: 'is written limits.maxToolTurns, or as maxTurns, which is one more',
  parallelToolCalls: 'is written limits.parallelToolCalls, or as maxParallel',
  routerDestinations: 'is written as destinations inside router',
};

test.each(Object.entries(moved))('%s has its own place', async (key, sentence) => {
  expect(await told(`${key}: 5`)).toBe(`${key}: ${sentence}`);
});

test.each(['traceLLM', 'traceMCP', 'verbose', 'accounting', 'save', 'load', 'stream', 'targets'])(
  '%s is the business of the command',
  async (key) => {
    expect(await told(`${key}: true`)).toBe(
      `${key}: is about how the command runs, not about the agent; take it out of the file`,
    );
  },
);

test('all of them at once, each in its line', async () => {
  const { problems } = await loadFiles({ 'desk.ai': agentFile('one: 1\nverbose: true\ntwo: 2') }, ['desk.ai']);
  expect(problems.map(({ line, key }) => [line, key])).toEqual([
    [3, 'one'],
    [4, 'verbose'],
    [5, 'two'],
  ]);
});
