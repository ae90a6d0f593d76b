// The promise: a sub-agent without a description is an error, once, in its own file; an agent at the top may do without.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

test.each([['description: null'], ['description: ""'], ['description: "  "'], ['usage: x']])('%s', async (said) => {
  const files = { 'lead.ai': agentFile('agents: team/desk.ai'), 'team/desk.ai': agentFile(said) };
  const { problems, agents } = await loadFiles(files, ['lead.ai']);
  expect(problems).toMatchObject([
    {
      code: 'description-missing',
      severity: 'error',
      file: 'team/desk.ai',
      line: 1,
      key: 'description',
      message: expect.stringMatching(/^is missing; lead\.ai has it as a sub-agent; add the line `description: .+`$/),
    },
  ]);
  expect(agents).toEqual([]);
});

test('it is told once, whoever has it, and for a check too', async () => {
  const files = {
    'a.ai': agentFile('agents: [desk.ai, b.ai]'),
    'b.ai': childFile('agents: desk.ai'),
    'c.ai': agentFile('agents: desk.ai'),
    'desk.ai': agentFile(),
  };
  for (const purpose of ['run', 'check'] as const) {
    const { problems, agents } = await loadFiles(files, ['desk.ai', 'a.ai', 'c.ai'], { purpose });
    const told = problems.filter(({ severity }) => severity === 'error');
    expect(told.map(({ code, file }) => `${code} ${file}`)).toEqual(['description-missing desk.ai']);
    expect(agents.map(({ name }) => name)).toEqual(['desk']);
  }
});

test('at the top it may be missing', async () => {
  const { problems, agents } = await loadFiles({ 'desk.ai': agentFile() }, ['desk.ai']);
  expect(problems).toEqual([]);
  expect(agents).toHaveLength(1);
});

test('at the top of a server it is an error, at the top of a check a warning', async () => {
  const tellOf = async (entries: readonly string[], given: object) => {
    const files = { 'desk.ai': agentFile(), '.ai-agent.json': { agents: 'desk.ai' } };
    const { problems } = await loadFiles(files, entries, given);
    return problems.flatMap(({ code, severity }) => (code === 'description-missing' ? [severity] : []));
  };
  expect(await tellOf(['desk.ai'], { isServed: true })).toEqual(['error']);
  expect(await tellOf([], {})).toEqual(['error']);
  expect(await tellOf(['desk.ai'], { purpose: 'check' })).toEqual(['warning']);
});

test('a file that cannot be read at all is not told to lack one as well', async () => {
  const files = { 'lead.ai': agentFile('agents: desk.ai'), 'desk.ai': '---\nnever closed\n' };
  const { problems } = await loadFiles(files, ['lead.ai']);
  expect(problems.map(({ code }) => code)).toEqual(['frontmatter-invalid']);
});
