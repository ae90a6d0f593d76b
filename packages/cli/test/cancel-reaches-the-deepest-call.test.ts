// T8: one abort down the whole tree, to the tool that runs and to the request that waits.

import { AIAgentSession, asTool, createModels, defineTool } from '@ai-agent/cli';
import { type Step, serveScript } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { nextTick, throughEveryDoor } from './support/doors.ts';

const delegateTo = (name: string) => ({ calls: [{ name, input: { text: 'go', reason: 'r' } }] });

throughEveryDoor('cancel reaches the deepest call', (door) => {
  const { runtime } = door;

  test('a tool two levels down is told, and nothing starts afterwards', async () => {
    const signals: AbortSignal[] = [];
    const hang = defineTool({
      name: 'hang',
      inputSchema: { type: 'object' },
      execute: (_, { signal }) => new Promise(() => signals.push(signal as AbortSignal)),
    });
    let calls = 0;
    const count = (step: Step) => {
      calls++;
      return step;
    };
    const child = await door.agent('child', () => count({ calls: [{ name: 'hang' }] }), { tools: [hang] });
    const lead = await door.agent('lead', () => count(delegateTo('child')), { tools: [asTool(child)] });
    const run = new AIAgentSession({ agent: lead, runtime }).run('go');
    while (signals.length === 0) await nextTick();
    run.cancel('Enough.');
    const outcome = await run.outcome;
    expect(outcome).toMatchObject({ status: 'cancelled', failure: { message: 'Enough.' } });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    for (let i = 0; i < 20; i++) await nextTick();
    expect(calls).toBe(2);
  });
});

test('over HTTP, the requests of all children are closed, and the run ends while the servers still hang', async () => {
  const server = await serveScript((request) =>
    request.tools.length > 0
      ? { calls: [1, 2, 3].map(() => delegateTo('child').calls[0] ?? { name: '' }) }
      : { text: 'never', until: new Promise(() => {}) },
  );
  const models = createModels({ providers: { local: { type: 'openai-compatible', baseUrl: server.baseUrl } } });
  const child = { name: 'child', description: 'hangs', instructions: 'You hang.', model: 'local/m' };
  const lead = { name: 'lead', instructions: 'You lead.', model: 'local/m', tools: [asTool(child)] };
  const run = new AIAgentSession({ agent: lead, ports: { models: models.resolve } }).run('go');
  while (server.inFlight < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  run.cancel();
  expect((await run.outcome).status).toBe('cancelled');
  while (server.aborted < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  expect([server.aborted, server.inFlight]).toEqual([3, 0]);
  await models.close();
  await server.close();
});
