// The offline model comes to an end: whatever tools answer, each is called once, or twice when its arguments were refused.

import { AgentError, ask, defineTool, fail, inProcess, type Middleware, toFailure } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

const options = { ports: fakePorts(), runtime: strict(inProcess) };
const base = { name: 'lead', instructions: 'You lead.', model: offlineDemo() };

test('A tool that never accepts its arguments is tried twice, and named as failed.', async () => {
  let count = 0;
  const picky: Middleware = {
    name: 'picky',
    decide: {
      call() {
        count++;
        return {
          refused: toFailure(new AgentError('tool-arguments-invalid', 'The arguments of probe do not fit: never.')),
        };
      },
    },
  };
  const properties = { text: { type: 'string' }, depth: { type: 'integer' } };
  const probe = defineTool({ name: 'probe', inputSchema: { type: 'object', properties }, execute: () => 'never' });
  const outcome = await ask({ ...base, tools: [probe], middleware: [picky] }, 'Look at it.', options);
  expect(outcome.status).toBe('completed');
  expect(count).toBe(2);
  expect(outcome.text).toContain('probe failed: The arguments of probe do not fit: never.');
});

test('The second try sends more than the first.', async () => {
  const inputs: unknown[] = [];
  const probe = defineTool({
    name: 'probe',
    inputSchema: { type: 'object', properties: { text: { type: 'string' }, depth: { type: 'integer' } } },
    execute(args: { depth?: number }) {
      inputs.push(args);
      return args.depth === undefined ? fail('The argument depth is missing.') : 'Found it.';
    },
  });
  const outcome = await ask({ ...base, tools: [probe] }, 'Look at it.', options);
  expect(inputs).toEqual([{ text: 'Look at it.' }, { text: 'Look at it.', depth: 1 }]);
  expect(outcome.text).toContain('probe: Found it.');
});

test('A tool that fails otherwise is not called again.', async () => {
  let count = 0;
  const probe = defineTool({
    name: 'probe',
    inputSchema: { type: 'object' },
    execute() {
      count++;
      return fail('The server is down.');
    },
  });
  const outcome = await ask({ ...base, tools: [probe] }, 'Look at it.', options);
  expect([outcome.status, count, outcome.usage.modelCalls]).toEqual(['completed', 1, 2]);
});

test('A schema that nothing satisfies ends as a failed call.', async () => {
  const inputSchema = { type: 'object', properties: { a: false }, required: ['a'] };
  const probe = defineTool({ name: 'probe', inputSchema, execute: () => 'never' });
  const outcome = await ask({ ...base, tools: [probe] }, 'Look at it.', options);
  expect(outcome.status).toBe('completed');
  expect(outcome.text).toContain('probe failed: ');
  expect(outcome.usage.modelCalls).toBeLessThanOrEqual(3);
});

test('A schema that branches without end costs a bounded time.', async () => {
  const child = { $ref: '#/$defs/node' };
  const node = { type: 'object', properties: { a: child, b: child, c: child }, required: ['a', 'b', 'c'] };
  const inputSchema = {
    type: 'object',
    properties: { root: child },
    required: ['root'],
    $defs: { node: { anyOf: [node, { ...node, minProperties: 4 }] } },
  };
  const probe = defineTool({ name: 'probe', inputSchema, execute: () => 'never' });
  const outcome = await ask({ ...base, tools: [probe] }, 'Look at it.', options);
  expect(outcome.status).toBe('completed');
});

test('Calls beyond what a turn may run are named as failed.', async () => {
  const tools = ['a', 'b', 'c'].map((name) =>
    defineTool({ name, inputSchema: { type: 'object' }, execute: () => `${name} is done.` }),
  );
  const outcome = await ask({ ...base, tools, limits: { maxToolCallsPerTurn: 2 } }, 'Look at it.', options);
  expect(outcome).toMatchObject({ status: 'completed', usage: { modelCalls: 2 } });
  expect(outcome.text).toContain('b: b is done.');
  expect(outcome.text).toContain('c failed: ');
});

test('In its last turn it answers from what it has, and says that a limit ended the work.', async () => {
  const probe = defineTool({ name: 'probe', inputSchema: { type: 'object' }, execute: () => 'Found it.' });
  const run = (maxTurns: number) =>
    ask({ ...base, tools: [probe], limits: { maxTurns } }, 'The tide is low at noon.', options);
  const outcome = await run(2);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns' });
  expect(outcome.text).toContain('probe: Found it.');
  expect(outcome.text).toContain('A limit ended the work here');
  expect(await run(1)).toMatchObject({
    status: 'completed',
    text: expect.stringContaining('The tide is low at noon.'),
  });
});

test('A sentence of the loop in other words is not taken for a new request.', async () => {
  const probe = defineTool({ name: 'probe', inputSchema: { type: 'object' }, execute: () => 'Found it.' });
  const agent = { ...base, tools: [probe], limits: { maxTurns: 2 }, texts: { wrapUp: () => 'Genug jetzt.' } };
  const outcome = await ask(agent, 'The tide is low at noon.', options);
  expect(outcome.text).toContain('probe: Found it.');
});
