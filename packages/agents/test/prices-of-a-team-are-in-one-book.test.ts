// The promise: whoever runs a team knows the prices that its own configuration has, and those of its sub-agents'.

import { expect, test } from 'vitest';
import { loadFiles, providers } from './support/world.ts';

const pricing = (model: string, prompt: number) => ({
  pricing: { openai: { [model]: { prompt, completion: prompt } } },
});

const files = {
  'above/lead.ai': '---\nmodels: openai/one\nagents: ../below/child.ai\n---\nYou lead.\n',
  'above/.ai-agent.json': pricing('one', 1),
  'below/child.ai': '---\ndescription: Helps\nmodels: openai/two\n---\nYou help.\n',
  'below/.ai-agent.json': pricing('two', 2),
};

/** A book that knows what its section says. */
const booked = {
  ...providers,
  toPrices: (section: Readonly<Record<string, unknown>>) => (provider: string, model: string) => {
    const entry = (section[provider] as Record<string, { prompt: number }> | undefined)?.[model];
    return entry && { input: entry.prompt, output: entry.prompt };
  },
};

test('its own, then those of the configurations below', async () => {
  const { agents } = await loadFiles(files, ['above/lead.ai'], { providers: booked });
  const prices = agents[0]?.session.ports?.prices;
  expect(await prices?.('openai', 'one')).toEqual({ input: 1, output: 1 });
  // The folder of the child is not where the lead looks: only the child's own configuration has it.
  expect(await prices?.('openai', 'two')).toEqual({ input: 2, output: 2 });
  expect(await prices?.('openai', 'three')).toBeUndefined();
});

test('without any there is no book', async () => {
  const { agents } = await loadFiles({ 'a.ai': '---\nmodels: openai/one\n---\nHi.\n' }, ['a.ai'], {
    providers: booked,
  });
  expect(agents[0]?.session.ports).toBeUndefined();
});
