// The agents of the soak: a lead that asks four readers at once. Model and tool are on the other side of HTTP.

import { type Agent, asTool, createModels, defineAgent, defineTool, type SessionTool } from '@ai-agent/cli';

export interface Staff {
  readonly lead: Agent;
  /** The same, with two readers at a time. */
  readonly narrowLead: Agent;
  /** The same, with one clerk who remembers each part it read before. */
  readonly leadOfOne: Agent;
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
  const reader = {
    name: 'reader',
    description: 'Reads one part.',
    instructions: 'You read one part, and look two words up.',
    model: 'stand-in/reader',
    tools: [lookUp],
  };
  const fresh = asTool(defineAgent(reader));
  const kept = asTool(defineAgent({ ...reader, name: 'clerk', hold: 'kept' }));
  const lead = { name: 'lead', instructions: 'You ask readers.', model: 'stand-in/lead', tools: [fresh] };
  return {
    lead: defineAgent(lead),
    narrowLead: defineAgent({ ...lead, limits: { maxParallel: 2 } }),
    leadOfOne: defineAgent({ ...lead, tools: [kept] }),
    models: createModels({ providers: { 'stand-in': { type: 'openai-compatible', baseUrl: `${standIn}/v1` } } }),
    find: (name) => [fresh, kept].find((tool) => tool.name === name),
  };
}
