// The promise: who is chosen by a description has one, told once in its own file; an advisor and an agent of a handoff need none.

import { expect, test } from 'vitest';
import { agentFile, loadFiles } from './support/world.ts';

const nameless = { 'desk.ai': agentFile() };
const router = 'router: { destinations: desk.ai }';

test('a destination without one is an error', async () => {
  for (const purpose of ['run', 'check'] as const) {
    const { problems, agents } = await loadFiles({ ...nameless, 'lead.ai': agentFile(router) }, ['lead.ai'], {
      purpose,
    });
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        code: 'description-missing',
        file: 'desk.ai',
        line: 1,
        key: 'description',
        message: expect.stringContaining('is missing; lead.ai has it as a destination; add the line `description: '),
      },
    ]);
    expect(agents).toEqual([]);
  }
});

test.each(['advisors: desk.ai', 'handoff: desk.ai', 'handoff: [desk.ai]'])('%s may do without', async (said) => {
  const { problems, agents } = await loadFiles({ ...nameless, 'lead.ai': agentFile(said) }, ['lead.ai']);
  expect(problems).toEqual([]);
  expect(agents[0]?.children.map(({ name, agent }) => [name, agent.description])).toEqual([['desk', undefined]]);
});

test('it is told once, whoever else has it, and those who need none stay sound', async () => {
  const files = {
    ...nameless,
    'lead.ai': agentFile(`agents: desk.ai\n${router}`),
    'other.ai': agentFile('advisors: desk.ai\nhandoff: desk.ai'),
  };
  const { problems, agents } = await loadFiles(files, ['lead.ai', 'other.ai']);
  expect(problems.map(({ file, message }) => [file, message])).toEqual([
    ['desk.ai', expect.stringContaining('is missing; lead.ai has it as a sub-agent; add the line')],
  ]);
  expect(agents.map(({ name }) => name)).toEqual(['other']);
});
