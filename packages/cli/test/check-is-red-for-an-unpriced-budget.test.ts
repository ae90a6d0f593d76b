// A budget in money that a model without a known price makes void is an error of a check, in sub-agents too.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const about = ['description: Helps.', 'usage: x', 'output: { format: text }'];
const providers = { fake: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' } };
const priced = { pricing: { fake: { 'gpt-4o': { prompt: 1, completion: 2 } } } };
const message =
  'No price for fake/gpt-4o, so budget.costUsd cannot be enforced. Add it under `pricing` in .ai-agent.json.';

test.each([
  ['of the agent itself', ['models: fake/gpt-4o', 'budget: { costUsd: 1 }'], [], 'lead.ai'],
  [
    'that a sub-agent has of its caller',
    ['models: offline/demo', 'budget: { costUsd: 1 }'],
    ['models: fake/gpt-4o'],
    'lead.ai',
  ],
  ['of a sub-agent', ['models: offline/demo'], ['models: fake/gpt-4o', 'budget: { costUsd: 1 }'], 'team/kid.ai'],
])('a budget %s', async (_, lead, kid, file) => {
  const files = {
    'lead.ai': agentFile([...about, 'agents: team/kid.ai', ...lead]),
    'team/kid.ai': agentFile([...about, ...(kid.length > 0 ? kid : ['models: offline/demo'])]),
  };
  const cwd = await folderWith({ ...files, '.ai-agent.json': { providers } });
  const { code, stdout } = await run(['check', 'lead.ai'], { cwd });
  const [line, ...others] = stdout.split('\n').filter((one) => one.includes('error:'));
  expect([code, others]).toEqual([1, []]);
  expect(line).toMatch(new RegExp(`^${file}:\\d+: error: budget\\.costUsd: `));
  expect(line).toContain(message);
  const known = await folderWith({ ...files, '.ai-agent.json': { providers, ...priced } });
  expect(await run(['check', 'lead.ai'], { cwd: known })).toMatchObject({ code: 0 });
});
