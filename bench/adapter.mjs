// The library as one contender of an outside benchmark: a parent with sub-agents, each with one local tool.
// `setup` gets an OpenAI-style address and the prompts to use, and gives back `run(id)`, which resolves to the parent's text.

import { ask, asTool, createModels, defineTool } from '../packages/cli/src/index.ts';

export const meta = { packages: [] };

export async function setup({ baseURL, apiKey, model, fanout, stream, parentSystem, childSystem, prompt }) {
  const models = createModels({ providers: { local: { type: 'openai-compatible', baseUrl: baseURL, apiKey } } });
  const calculate = defineTool({
    name: 'local_calc',
    description: 'A trivial local calculation',
    inputSchema: { type: 'object', properties: { expr: { type: 'string' } }, required: ['expr'] },
    execute: ({ expr }) => `TOOL_OK ${expr}`,
  });
  const child = (i) =>
    asTool({
      name: `sub_${i}`,
      description: `Sub-agent number ${i}`,
      instructions: childSystem,
      model: `local/${model}`,
      tools: [calculate],
    });
  const parent = {
    name: 'parent',
    instructions: parentSystem,
    model: `local/${model}`,
    tools: Array.from({ length: fanout }, (_, i) => child(i)),
    limits: { maxParallel: 16, maxToolCallsPerTurn: 16 },
  };
  let letters = 0;
  const onEvent = (event) => {
    if (event.type === 'text-delta') letters += event.text.length;
  };
  const options = { ports: { models: models.resolve }, ...(stream ? { onEvent } : {}) };
  return { run: async (id) => (await ask(parent, prompt(id), options)).text, letters: () => letters };
}
