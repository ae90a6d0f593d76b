// A named file that gives no agent is an error, even if a defect of the loader loses the error that explains it.

import { expect, onTestFinished, test, vi } from 'vitest';
import { Problems } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const files = {
  'desk.ai': agentFile().replace('openai/gpt-5', 'nowhere/m'),
  'lead.ai': agentFile('agents: kid.ai'),
  'kid.ai': childFile().replace('openai/gpt-5', 'nowhere/m'),
};

test.each([
  ['desk.ai', 'run'],
  ['desk.ai', 'check'],
  ['lead.ai', 'run'],
] as const)('%s in a %s', async (file, purpose) => {
  // The first problem is that of the model.
  vi.spyOn(Problems.prototype, 'add').mockImplementationOnce(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const { agents, problems } = await loadFiles({ ...files, 'usual.ai': agentFile() }, [file, 'usual.ai'], { purpose });
  expect(agents.map(({ name }) => name)).toEqual(['usual']);
  expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'internal', file, message: 'could not be loaded, and no other error says why; please report this defect' },
  ]);
});

test('an error that explains it is enough', async () => {
  const { problems } = await loadFiles(files, ['desk.ai', 'lead.ai']);
  expect(problems.map(({ code }) => code)).toEqual(['model-unknown', 'model-unknown']);
});
