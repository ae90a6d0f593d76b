// Files that name each other more than ten levels deep are refused at load, unless the file at the top sets maxDepth.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

/** a0.ai names a1.ai, and so on. */
const chain = (levels: number, top = '') =>
  Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, i) => {
      const next = i < levels ? `agents: a${i + 1}.ai` : '';
      const lines = [i === 0 ? top : '', next].filter(Boolean).join('\n');
      return [`a${i}.ai`, i === 0 ? agentFile(lines) : childFile(lines)];
    }),
  );

test.each(['run', 'check'] as const)('%s', async (purpose) => {
  const errorsOf = async (files: Record<string, string>) => {
    const { problems } = await loadFiles(files, ['a0.ai'], { purpose });
    return problems.filter(({ severity }) => severity === 'error');
  };
  expect(await errorsOf(chain(10))).toEqual([]);
  const message = 'is missing; its sub-agents go 11 levels deep, and without it a tree has at most 10';
  const remedy = 'Set maxDepth: 11 in this file, or let it call fewer levels.';
  expect(await errorsOf(chain(11))).toMatchObject([
    { code: 'agent-invalid', file: 'a0.ai', key: 'maxDepth', message, remedy },
  ]);
  expect(await errorsOf(chain(11, 'maxDepth: 11'))).toEqual([]);
});

test('of files below the top nothing is demanded', async () => {
  expect((await loadFiles(chain(13, 'maxDepth: 13'), ['a0.ai'])).problems).toEqual([]);
});
