// The promise: a session that was summed up on the way is exported with all that was said, and shows where it was summed up.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { served } from './support/served.ts';

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

test('every message and every answer, and no summary among them', { timeout: 60_000 }, async () => {
  const model = await served(({ system }) =>
    system.startsWith('You sum up') ? 'SUMMARY' : `answer ${'and so on '.repeat(40)}`,
  );
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'maxOutputTokens: 256']),
    '.ai-agent.json': {
      providers: {
        local: { type: 'openai-compatible', baseUrl: model.baseUrl, models: { m: { contextWindow: 2_048 } } },
      },
    },
  });
  const input = words.map((word) => `message ${word} ${'with many words '.repeat(20)}\n`).join('');
  const talked = await run(['chat', 'desk.ai', '--verbose'], { cwd, input });
  expect(talked.code).toBe(0);
  expect(talked.stderr).toContain(' step summary: model local/m took ');
  const [head] = await headsIn(cwd);
  const id = head?.id ?? '';
  const { stdout } = await run(['sessions', 'export', id, '--format', 'markdown'], { cwd });
  const said = [...stdout.matchAll(/^## You\n\nmessage (\w+) /gm)].map(([, word]) => word);
  expect(said).toEqual(words);
  expect(stdout.match(/^## You/gm)).toHaveLength(words.length);
  expect(stdout.match(/^## desk\n\nanswer /gm)).toHaveLength(words.length);
  expect(stdout).not.toContain('SUMMARY');
  const tree = (await run(['sessions', 'tree', id], { cwd })).stdout;
  expect(tree).toMatch(/^\|- 1\. summary model local\/m: /m);
  expect(tree).toMatch(/^`- 1\. model local\/m: /m);
});
