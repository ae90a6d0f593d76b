// The same scenario on the library: one lead, its sub-agents in parallel, each with a tool.

import { type Agent, ask, asTool, createModels, defineTool } from 'ai-agent';

export function ours(baseUrl: string, fanOut: number, isStreamed: boolean): () => Promise<string> {
  const models = createModels({ providers: { local: { type: 'openai-compatible', baseUrl } } });
  const calculate = defineTool<{ expression: string }>({
    name: 'calculate',
    description: 'Calculates',
    inputSchema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
    execute: ({ expression }) => `= ${expression}`,
  });
  const workers = Array.from(
    { length: fanOut },
    (_, i): Agent => ({
      name: `worker_${i}`,
      description: 'Works',
      instructions: 'worker',
      model: 'local/m',
      tools: [calculate],
    }),
  );
  const lead: Agent = {
    name: 'lead',
    instructions: `lead ${fanOut}`,
    model: 'local/m',
    tools: workers.map((worker) => asTool(worker)),
  };
  let deltas = 0;
  const onEvent = { onEvent: (event: { type: string }) => void (event.type === 'text-delta' && deltas++) };
  return async () =>
    (await ask(lead, 'go', { ports: { models: models.resolve }, ...(isStreamed ? onEvent : {}) })).text;
}
