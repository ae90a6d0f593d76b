// The agents of the soak: a lead that asks four readers at once. Model and tool are on the other side of HTTP.

import { type Agent, asTool, createModels, defineAgent, defineTool, type SessionTool } from 'ai-agent';

export interface Staff {
  readonly lead: Agent;
  /** The same, with two readers at a time. */
  readonly narrowLead: Agent;
  readonly models: ReturnType<typeof createModels>;
  /** The sub-agent that a call names. */
  find(tool: string): SessionTool | undefined;
}

/** `standIn` is where model and tool are counted, outside of the process that is killed. */
export function createStaff(standIn: string): Staff {
  const lookUp = defineTool<{ word: string }>({
    name: 'look_up',
    description: 'Looks a word up.',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    async execute({ word }, { trace, signal }) {
      // The last step of the path is turn and call: with the session, the name the engine knows the call by.
      const [turn, index] = trace.turnPath.split('-').at(-1)?.split('.') ?? [];
      const body = JSON.stringify({ key: `${trace.selfId}/turn.${turn}.tool.${index}`, word });
      const response = await fetch(`${standIn}/tool`, { method: 'POST', body, signal });
      return response.text();
    },
  });
  const reader = defineAgent({
    name: 'reader',
    description: 'Reads one part.',
    instructions: 'You read one part, and look one word up.',
    model: 'stand-in/reader',
    tools: [lookUp],
  });
  const tools = [asTool(reader)];
  const lead = { name: 'lead', instructions: 'You ask readers.', model: 'stand-in/lead', tools };
  return {
    lead: defineAgent(lead),
    narrowLead: defineAgent({ ...lead, limits: { maxParallel: 2 } }),
    models: createModels({ providers: { 'stand-in': { type: 'openai-compatible', baseUrl: `${standIn}/v1` } } }),
    find: (name) => tools.find((tool) => tool.name === name),
  };
}
