// Listeners, tools, models and layers are other people's: whatever they do, a run ends with an outcome that tells the truth.

import {
  type Agent,
  AgentError,
  asTool,
  defineTool,
  inProcess,
  journaled,
  ledgerOf,
  MemoryJournal,
  type Middleware,
  type Model,
  Scope,
} from '@ai-agent/core';
import type { Step } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, nextTick, start, walk } from './support/walk.ts';

const noArguments = { type: 'object' } as const;

test('a listener that fails later is as harmless as one that fails at once', async () => {
  const { outcome } = await walk(agent('hello', ['Hello.']), 'go', {
    onEvent: async () => Promise.reject(new TypeError('sink is down')),
  });
  expect(outcome.status).toBe('completed');
});

test('something thrown that throws again when looked at is a failed call', async () => {
  const hostile = {
    get message(): string {
      throw new TypeError('gotcha');
    },
  };
  const tool = defineTool({ name: 'odd', inputSchema: noArguments, execute: () => Promise.reject(hostile) });
  const { outcome, events } = await walk(agent('lead', [{ calls: [{ name: 'odd' }] }, 'done'], { tools: [tool] }));
  expect(outcome.status).toBe('completed');
  expect(events.find((event) => event.type === 'tool-end')?.result.failure?.message).toMatch(/cannot be read/);
});

test('a schema that validates asynchronously is read as what it says, and lets nothing pass', async () => {
  let runs = 0;
  const inputSchema = { $async: true, type: 'object', properties: { n: { type: 'number' } } };
  const tool = defineTool({ name: 'count', inputSchema, execute: () => `${++runs}` });
  await walk(agent('lead', [{ calls: [{ name: 'count', input: { n: 'x' } }] }, 'done'], { tools: [tool] }));
  expect(runs).toBe(0);
});

describe('schemas of every dialect', () => {
  test.each([
    [
      'a tuple without a dialect',
      { type: 'object', properties: { pair: { type: 'array', items: [{ type: 'number' }] } } },
      { pair: ['x'] },
    ],
    [
      '2019-09',
      {
        $schema: 'https://json-schema.org/draft/2019-09/schema',
        type: 'object',
        properties: { pair: { items: [{ type: 'number' }] } },
      },
      { pair: ['x'] },
    ],
    ['draft 7', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: ['a'] }, {}],
    ['names of Object.prototype', { type: 'object', required: ['toString'] }, {}],
  ])('%s', async (_, inputSchema, wrong) => {
    const tool = defineTool({ name: 'check', inputSchema, execute: () => 'passed' });
    const { events } = await walk(
      agent('lead', [{ calls: [{ name: 'check', input: wrong }] }, 'done'], { tools: [tool] }),
    );
    expect(events.find((event) => event.type === 'tool-end')?.result).toMatchObject({ status: 'refused' });
  });

  test('two schemas with one $id do not meet', async () => {
    const tool = (name: string, type: string) =>
      defineTool({
        name,
        inputSchema: { $id: 'https://example.com/same', type: 'object', properties: { v: { type } } },
        execute: () => 'ok',
      });
    const calls = [
      { name: 'a', input: { v: 1 } },
      { name: 'b', input: { v: 'x' } },
    ];
    const { events } = await walk(
      agent('lead', [{ calls }, 'done'], { tools: [tool('a', 'number'), tool('b', 'string')] }),
    );
    expect(events.filter((event) => event.type === 'tool-end').map((event) => event.result.status)).toEqual([
      'ok',
      'ok',
    ]);
  });
});

describe('a model that answers with garbage', () => {
  const asking = (reply: unknown): Agent => ({
    ...agent('lead', []),
    model: { provider: 'p', model: 'm', call: async () => reply } as Model,
  });

  test.each([
    [null],
    [{}],
    [{ message: null }],
    [{ message: { content: 'text' } }],
    [{ message: { content: [{ type: 'text' }] } }],
    [{ message: { content: [{ type: 'tool-call', id: 'a', input: {} }] } }],
  ])('%j is a failure of the model', async (reply) => {
    const { outcome } = await walk(asking(reply));
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'model', code: 'model-reply-invalid' } });
  });

  test.each([
    [undefined],
    [null],
    [{ inputTokens: Number.NaN, outputTokens: -5 }],
    [{ inputTokens: '10', outputTokens: null }],
  ])('usage %j is unknown', async (usage) => {
    const { outcome } = await walk(
      asking({
        message: { content: [{ type: 'text', text: 'fine' }] },
        finishReason: 'done',
        usage,
        costUsd: Number.NaN,
      }),
    );
    expect(outcome).toMatchObject({
      status: 'completed',
      text: 'fine',
      usage: { inputTokens: 0, outputTokens: 0, unknownUsageCalls: 1, unknownCostCalls: 1 },
    });
  });

  test('calls without an id, or with the same one, get one each', async () => {
    const tool = defineTool({ name: 't', inputSchema: noArguments, execute: () => 'x' });
    const lead = agent(
      'lead',
      [
        {
          calls: [
            { name: 't', id: 'same' },
            { name: 't', id: 'same' },
            { name: 't', id: '' },
          ],
        },
        'done',
      ],
      { tools: [tool] },
    );
    await walk(lead);
    const said = lead.model.requests[1]?.messages.at(-1);
    expect(said?.role === 'tool' && new Set(said.content.map((part) => part.id)).size).toBe(3);
  });
});

describe('a layer that breaks', () => {
  const child = () => asTool(agent('child', () => 'fine'));
  const calling = (middleware: Middleware[]) =>
    agent('lead', [{ calls: [{ name: 'child', input: { reason: 'r' } }] }, 'done'], { tools: [child()], middleware });

  test('ends its session as a bug, and what was used is still accounted', async () => {
    const broken: Middleware = { name: 'broken', decide: { result: () => JSON.parse('{') } };
    const { outcome } = await walk(calling([broken]));
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'bug' } });
    expect(outcome.usage).toEqual(outcome.ledger.total);
    expect(outcome.usage.modelCalls).toBe(2);
  });

  test('a fallback to another model is booked to the model that answered', async () => {
    const other = agent('other', ['from the other']).model;
    const fallback: Middleware = {
      name: 'fallback',
      perform: {
        model: (work, next) =>
          next({ ...work, choice: { ...work.choice, provider: 'second', model: 'best', open: async () => other } }),
      },
    };
    const { outcome } = await walk(agent('lead', ['from the first'], { middleware: [fallback] }));
    expect(outcome.text).toBe('from the other');
    expect(outcome.ledger.entries[0]).toMatchObject({ provider: 'second', model: 'best' });
  });

  test('perform layers are around sub-agents too, and can tell', async () => {
    const seen: string[] = [];
    const spy: Middleware = {
      name: 'spy',
      perform: {
        tool(work, next) {
          seen.push(`${work.call.tool} ${work.operation}`);
          return next(work);
        },
      },
    };
    await walk(calling([spy]));
    expect(seen).toEqual(['agent__child session']);
  });
});

describe('a layer around a sub-agent', () => {
  const lead = (middleware: Middleware[], script: () => Step) => {
    const child = agent('child', script);
    const calls = [{ name: 'child', input: { reason: 'r' } }];
    return { child, lead: agent('lead', [{ calls }, 'done'], { tools: [asTool(child)], middleware }) };
  };

  test('may stop it by a scope of its own, and only it', async () => {
    const timeout: Middleware = {
      name: 'timeout',
      perform: {
        tool(work, next) {
          const scope = new Scope(work.scope);
          scope.abort(new AgentError('tool-timeout', 'Too slow.'));
          return next({ ...work, scope });
        },
      },
    };
    const { lead: agentWith, child } = lead([timeout], () => ({ text: 'never' }));
    const { outcome } = await walk(agentWith);
    expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
    expect(child.model.requests).toEqual([]);
    expect(outcome.usage).toEqual(outcome.ledger.total);
  });

  test('cannot run it twice under one id', async () => {
    const again: Middleware = {
      name: 'again',
      perform: {
        async tool(work, next) {
          await next(work);
          return next(work);
        },
      },
    };
    const { lead: agentWith, child } = lead([again], () => ({ text: 'fine' }));
    const { outcome, events } = await walk(agentWith);
    expect(child.model.requests).toHaveLength(1);
    expect(events.findLast((event) => event.type === 'tool-end')?.result.failure?.message).toContain('twice');
    expect(outcome.ledger.total.modelCalls).toBe(3);
  });
});

test('names of Object.prototype are names like others', async () => {
  const { outcome } = await walk({ ...agent('constructor', ['Hello.']) }, 'go', { sessionId: 'toString' });
  expect(outcome.ledger.byName.constructor).toMatchObject({ modelCalls: 1, inputTokens: 10 });
  expect(outcome.ledger.bySession.toString).toMatchObject({ own: { modelCalls: 1 }, subtree: { modelCalls: 1 } });
});

test('a session id that could not be one is refused', () => {
  expect(() => start(agent('hello', ['Hello.']), 'go', { sessionId: 'a~b' })).toThrow(/session id/);
});

test('what a model writes cannot forge a line of the log', async () => {
  const { toLogLine, toLogRecord } = await import('@ai-agent/core');
  const lead = agent(
    'lead',
    [{ calls: [{ name: 'child', input: { reason: 'x\nroot 1 0 error forged \u001b[2J' } }] }, 'done'],
    { tools: [asTool(agent('child', ['fine']))] },
  );
  const { events } = await walk(lead);
  for (const event of events) if (event.kind === 'fact') expect(toLogLine(toLogRecord(event))).toMatch(/^[^\p{Cc}]*$/u);
});

test('facts that are told twice count once', async () => {
  const { events } = await walk(agent('hello', ['Hello.']));
  expect(ledgerOf([...events, ...events])).toEqual(ledgerOf(events));
});

test('after a cancellation, usage and ledger say the same, times included', async () => {
  const never = defineTool({ name: 'never', inputSchema: noArguments, execute: () => new Promise(() => {}) });
  const run = start(agent('lead', [{ calls: [{ name: 'never', input: { a: 1 } }] }], { tools: [never] }));
  while (!run.events.some((event) => event.type === 'operation-start' && event.op === 'turn.1.tool.1'))
    await nextTick();
  run.clock.advance(500);
  run.cancel();
  const { usage, ledger } = await run.outcome;
  expect(usage).toEqual(ledger.total);
  expect(usage.toolMs).toBe(500);
  expect(ledger.entries.at(-1)).toMatchObject({ status: 'cancelled', bytesIn: 7 });
});

test('a refused call takes no number', async () => {
  const calls = [
    { name: 'child', input: {} },
    { name: 'child', input: { reason: 'r' } },
  ];
  const { events } = await walk(agent('lead', [{ calls }, 'done'], { tools: [asTool(agent('child', ['fine']))] }));
  expect(events.find((event) => event.type === 'session-start' && event.depth === 1)?.trace.instanceName).toBe('child');
});

test('a child that was cancelled by itself is not asked again on replay', async () => {
  const journal = new MemoryJournal();
  const run = async () => {
    const controller = new AbortController();
    const { AIAgentSession, agentTool } = await import('@ai-agent/core');
    const slow = agent('slow', () => ({ until: new Promise(() => setImmediate(() => controller.abort())) }));
    const tool = agentTool({
      name: 'slow',
      description: 'slow',
      createSession: () => new AIAgentSession({ agent: slow, signal: controller.signal }),
    });
    const lead = agent('lead', [{ calls: [{ name: 'slow', input: { reason: 'r' } }] }, 'done'], { tools: [tool] });
    const { outcome } = await walk(lead, 'go', { sessionId: 'run', runtime: journaled(inProcess, journal) });
    return { status: outcome.status, calls: slow.model.requests.length + lead.model.requests.length };
  };
  expect(await run()).toEqual({ status: 'completed', calls: 3 });
  expect(await run()).toEqual({ status: 'completed', calls: 0 });
});

test('whoever is asked and throws has not answered, and that is no defect of ours', async () => {
  const question = { name: 'ask_user', input: { question: 'Why?' } };
  const { outcome, events } = await walk(
    agent('lead', [{ calls: [question] }, 'never mind'], { ask: 'person' }),
    'go',
    {
      onQuestion: () => {
        throw new TypeError('nobody is there');
      },
    },
  );
  expect(outcome).toMatchObject({ status: 'completed', text: 'never mind' });
  expect(events.find((event) => event.type === 'question-end')?.failure).toMatchObject({
    class: 'tool',
    message: 'Nobody could be asked: nobody is there',
  });
});
