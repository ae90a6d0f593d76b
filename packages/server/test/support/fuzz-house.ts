// A house with every kind of agent in it, for whoever throws things at it; and what nobody foresaw in it.

import type { Agent } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { anthropic, createApp, Hall, hashOf, Keys, openai, rest } from '../../src/index.ts';

export interface FuzzHouse {
  readonly app: ReturnType<typeof createApp>;
  readonly hall: Hall;
  readonly bugs: unknown[];
  /** Every route there is, `:name` in it where something has to be filled in. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
}

const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false };

export const agentNames = ['echo', 'form', 'report', 'asker'] as const;

export const fuzzKey = 'the key of this house';

/** `hasKeys`: only `fuzzKey` opens it, and pages of one other site may ask. */
export function fuzzHouse({ hasKeys = false } = {}): FuzzHouse {
  const answer = (text: string) => scriptedModel(() => text);
  const agents: readonly Agent[] = [
    { name: 'echo', instructions: 'Echo.', model: answer('Said again.') },
    { name: 'form', instructions: 'Read.', model: answer('Read.'), input: { format: 'json', schema: point } },
    { name: 'report', instructions: 'Tell.', model: answer('{"x":1}'), output: { format: 'json', schema: point } },
    {
      name: 'asker',
      instructions: 'Ask.',
      ask: 'person',
      model: scriptedModel(({ messages }) =>
        messages.length > 1 ? 'Thank you.' : { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
      ),
    },
  ];
  const bugs: unknown[] = [];
  const ports = fakePorts();
  const hall = new Hall({
    agents: () => agents.map((agent) => ({ name: agent.name, agent })),
    ports,
    onBug: (error) => bugs.push(error),
  });
  const keys = () => new Keys({ own: { hash: hashOf(fuzzKey), agents: ['e*', 'form', 'asker'] } }, ports.clock);
  const app = createApp(
    hall,
    [rest(), openai(), anthropic()],
    hasKeys ? { keys: keys(), cors: ['https://page.example'] } : {},
  );
  const routes = app.routes.filter(({ path }) => !path.includes('*')).map(({ method, path }) => ({ method, path }));
  return { app, hall, bugs, routes };
}
