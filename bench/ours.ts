// The scenario on the library, with everything that is on by default. `adapter.mjs` offers it to outside harnesses.

import { type Agent, type AgentEvent, ask, asTool, createModels, defineTool } from 'ai-agent';
import type { SetUp } from './scenario.ts';

export const ours: SetUp = async ({ baseURL, apiKey, model, fanout, stream, parentSystem, childSystem, prompt }) => {
  const models = createModels({
    providers: { local: { type: 'openai-compatible', baseUrl: baseURL, apiKey } },
  });
  const calculate = defineTool<{ expr: string }>({
    name: 'local_calc',
    description: 'A trivial local calculation',
    inputSchema: { type: 'object', properties: { expr: { type: 'string' } }, required: ['expr'] },
    execute: ({ expr }) => `TOOL_OK ${expr}`,
  });
  const toChild = (_: unknown, i: number) =>
    asTool({
      name: `sub_${i}`,
      description: `Sub-agent number ${i}`,
      instructions: childSystem,
      model: `local/${model}`,
      tools: [calculate],
    });
  const parent: Agent = {
    name: 'parent',
    instructions: parentSystem,
    model: `local/${model}`,
    tools: Array.from({ length: fanout }, toChild),
    // Wider than by default: the measure of a wide fan-out is that all of it runs at once.
    limits: { maxParallel: fanout, maxToolCallsPerTurn: fanout },
  };
  const seen = { letters: 0 };
  const onEvent = (event: AgentEvent) => {
    if (event.type === 'text-delta') seen.letters += event.text.length;
  };
  const options = { ports: { models: models.resolve }, ...(stream ? { onEvent } : {}) };
  return { run: async (id) => (await ask(parent, prompt(id), options)).text };
};
