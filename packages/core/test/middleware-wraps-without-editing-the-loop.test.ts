import { AgentError, asTool, defineTool, type Middleware, toFailure } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const ping = defineTool({ name: 'ping', inputSchema: { type: 'object' }, execute: () => 'pong' });
const pinger = (middleware: Middleware[]) =>
  agent('pinger', [{ calls: [{ name: 'ping', input: { n: 1 } }] }, 'done'], { tools: [ping], middleware });

describe('decide', () => {
  test('may refuse a call; the model reads why', async () => {
    const refused = toFailure(new AgentError('tool-refused', 'Not on Sundays.'));
    const { events } = await walk(pinger([{ name: 'sunday', decide: { call: () => ({ refused }) } }]));
    expect(events.find((event) => event.type === 'tool-end')?.result).toMatchObject({
      status: 'refused',
      failure: { message: 'Not on Sundays.' },
    });
  });

  test('may change a result, and send an answer back', async () => {
    const louder: Middleware = {
      name: 'louder',
      decide: {
        result: (result) => ({ ...result, text: result.text.toUpperCase() }),
        answer: (verdict, view) => (view.repairs === 0 ? { ...verdict, retry: 'Say it louder.' } : verdict),
      },
    };
    const shouter = agent('shouter', [{ calls: [{ name: 'ping' }] }, 'done', 'DONE'], {
      tools: [ping],
      middleware: [louder],
    });
    const { outcome } = await walk(shouter);
    expect(outcome.text).toBe('DONE');
    expect(JSON.stringify(shouter.model.requests[1]?.messages)).toContain('PONG');
  });

  test('may stop a session before a turn', async () => {
    const { outcome } = await walk(
      pinger([
        { name: 'enough', decide: { turn: (plan) => (plan.number > 1 ? { ...plan, stop: 'patience' } : plan) } },
      ]),
    );
    expect(outcome).toMatchObject({ status: 'partial', limit: 'patience' });
  });
});

test('a decision that answers later is a mistake, and named', async () => {
  const { outcome } = await walk(pinger([{ name: 'slow', decide: { call: (async () => undefined) as never } }]));
  expect(outcome).toMatchObject({
    status: 'failed',
    failure: { class: 'config', message: expect.stringContaining('slow decides asynchronously') },
  });
});

describe('perform', () => {
  test('wraps the real work, first layer outermost', async () => {
    const order: string[] = [];
    const layerNamed = (name: string): Middleware => ({
      name,
      perform: {
        async tool(work, next) {
          order.push(`${name} in`);
          const result = await next(work);
          order.push(`${name} out`);
          return result;
        },
        async model(work, next) {
          order.push(`${name} model`);
          return next({ ...work, request: { ...work.request, system: `${work.request.system} ${name}` } });
        },
      },
    });
    const agentWith = pinger([layerNamed('b')]);
    await walk(agentWith, 'go', { middleware: [layerNamed('a')] });
    expect(order).toEqual(['a model', 'b model', 'a in', 'b in', 'b out', 'a out', 'a model', 'b model']);
    expect(agentWith.model.requests[0]?.system.endsWith(' a b')).toBe(true);
  });

  test('may answer without the work, or fail in its place', async () => {
    const cached: Middleware = {
      name: 'cache',
      perform: { tool: async () => ({ status: 'ok', text: 'from the cache' }) },
    };
    const { events } = await walk(pinger([cached]));
    expect(events.find((event) => event.type === 'tool-end')?.result.text).toBe('from the cache');
    const broken: Middleware = {
      name: 'broken',
      perform: { model: () => Promise.reject(new AgentError('model-timeout', 'Too slow.')) },
    };
    const { outcome } = await walk(pinger([broken]));
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: { class: 'timeout', message: 'Too slow.', retryable: true },
    });
  });
});

test('layers given to the root cover the whole tree; an agent’s own cover that agent', async () => {
  const seen: string[] = [];
  const spy = (name: string): Middleware => ({
    name,
    perform: {
      model(work, next) {
        seen.push(`${name} ${work.trace.agentName}`);
        return next(work);
      },
    },
  });
  const child = agent('child', ['fine'], { middleware: [spy('own')] });
  const lead = agent('lead', [{ calls: [{ name: 'child', input: { reason: 'r' } }] }, 'done'], {
    tools: [asTool(child)],
  });
  await walk(lead, 'go', { middleware: [spy('tree')] });
  expect(seen).toEqual(['tree lead', 'tree child', 'own child', 'tree lead']);
});

test('texts given to the root reach sessions below', async () => {
  const child = agent('child', ['', 'fine']);
  const lead = agent('lead', [{ calls: [{ name: 'child', input: { reason: 'r' } }] }, 'done'], {
    tools: [asTool(child)],
  });
  await walk(lead, 'go', { texts: { emptyReply: 'Speak up.' } });
  expect(JSON.stringify(child.model.requests[1]?.messages.at(-1))).toContain('Speak up.');
});

test('a decision sees what was used so far, sub-agents included', async () => {
  const seen: number[] = [];
  const spy: Middleware = {
    name: 'spy',
    decide: {
      turn(plan, { usage }) {
        seen.push(usage.modelCalls);
        return plan;
      },
    },
  };
  const child = agent('child', () => 'fine');
  const calls = [1, 2].map(() => ({ name: 'child', input: { reason: 'r' } }));
  await walk(agent('lead', [{ calls }, 'done'], { tools: [asTool(child)], middleware: [spy] }));
  expect(seen).toEqual([0, 3]);
});
