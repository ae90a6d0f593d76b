// Each wrong key of a price is one problem, with its line.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const problemsOf = async (price: object) => {
  const cwd = await folderWith({
    'a.ai': agentFile(['models: offline/demo', 'usage: Ask.', 'output: { format: text }']),
    'b.ai': agentFile(['models: offline/demo', 'usage: Ask.', 'output: { format: text }']),
    '.ai-agent.json': { pricing: { fake: { m: price } } },
  });
  const { problems } = JSON.parse((await run(['check', '--json', 'a.ai', 'b.ai'], { cwd })).stdout);
  return problems.map((one: Record<string, string>) => [one.severity, one.code, one.key]);
};

test.each([
  ['an unknown key', { prompt: 1, completion: 1, input: 1 }, [['warning', 'key-unknown', 'pricing.fake.m.input']]],
  ['a wrong value', { prompt: 'x', completion: 1 }, [['error', 'config-invalid', 'pricing.fake.m.prompt']]],
  ['a missing key', { prompt: 1 }, [['warning', 'key-invalid', 'pricing.fake.m.completion']]],
])('%s', async (_, price, problems) => {
  expect(await problemsOf(price)).toEqual(problems);
});
