// The promise: what a model sends as a batch runs like calls it made itself, side by side, and comes back as one result.

import { type Agent, asTool, conversationsOf, defineTool, type JsonObject, ledgerOf, opTreeOf } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { endsInCallOrder } from './support/call-order.ts';
import { agent, nextTick, start, walk } from './support/walk.ts';

type Entry = JsonObject & { readonly error?: { readonly code: string; readonly message: string } };

const echo = defineTool<{ word: string }>({
  name: 'echo',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  execute: ({ word }) => `heard ${word}`,
});
const broken = defineTool({
  name: 'broken',
  inputSchema: { type: 'object' },
  execute: () => {
    throw new TypeError('the pipe burst');
  },
});

const item = (id: string, tool: string, parameters: unknown = {}) => ({ id, tool, parameters });
const batchOf = (...calls: unknown[]) => ({ name: 'agent__batch', id: 'b1', input: { calls } });

/** One turn with these calls, then an answer. */
function leadWith(calls: readonly object[], more: Partial<Agent> = {}) {
  return agent('lead', [{ calls: calls as never }, 'done'], { tools: [echo, broken], batch: true, ...more });
}

function resultsIn({ model }: ReturnType<typeof leadWith>) {
  const last = model.requests[1]?.messages.findLast(({ role }) => role === 'tool');
  return last?.role === 'tool' ? last.content : [];
}

/** What the first batch of the turn came to. */
function entriesIn(lead: ReturnType<typeof leadWith>): readonly Entry[] {
  const text = resultsIn(lead).find(({ name }) => name === 'agent__batch')?.text ?? '';
  return (JSON.parse(text) as { results: Entry[] }).results;
}

const endsIn = endsInCallOrder;

describe('one result', () => {
  test('with each call by its id, in order, whatever ends first', async () => {
    const ending: ((text: string) => void)[] = [];
    const gate = defineTool({
      name: 'gate',
      inputSchema: { type: 'object' },
      execute: () => new Promise<string>((end) => ending.push(end)),
    });
    const lead = leadWith([batchOf(item('a', 'gate'), item('b', 'gate'))], { tools: [gate] });
    const { outcome, clock } = start(lead);
    while (ending.length < 2) await nextTick();
    clock.advance(5);
    ending[1]?.('second');
    for (let i = 0; i < 5; i++) await nextTick();
    clock.advance(7);
    ending[0]?.('first');
    expect((await outcome).status).toBe('completed');
    expect(resultsIn(lead)).toMatchObject([{ id: 'b1', name: 'agent__batch', isError: false }]);
    expect(entriesIn(lead)).toEqual([
      { id: 'a', tool: 'gate', ok: true, elapsedMs: 12, output: 'first' },
      { id: 'b', tool: 'gate', ok: true, elapsedMs: 5, output: 'second' },
    ]);
  });

  test('one failure spares the others, and each kind has its code', async () => {
    const lead = leadWith([
      batchOf(
        item('ok', 'echo', { word: 'hi' }),
        item('burst', 'broken'),
        item('who', 'nobody'),
        item('wrong', 'echo', { word: 7 }),
        item('list', 'echo', [1]),
        item('again', 'batch', { calls: [] }),
        item('end', 'agent__final_report', {}),
        item('away', 'router__handoff-to', {}),
        { id: 'bare' },
        'nothing',
      ),
    ]);
    await walk(lead);
    const entries = entriesIn(lead);
    expect(entries.map(({ id, ok, error }) => [id, ok, error?.code])).toEqual([
      ['ok', true, undefined],
      ['burst', false, 'EXECUTION_ERROR'],
      ['who', false, 'UNKNOWN_TOOL'],
      ['wrong', false, 'BAD_REQUEST'],
      ['list', false, 'BAD_REQUEST'],
      ['again', false, 'INTERNAL_NOT_ALLOWED'],
      ['end', false, 'INTERNAL_NOT_ALLOWED'],
      ['away', false, 'INTERNAL_NOT_ALLOWED'],
      ['bare', false, 'BAD_REQUEST'],
      ['10', false, 'BAD_REQUEST'],
    ]);
    expect(entries[1]?.error?.message).toContain('the pipe burst');
    expect(entries[2]?.error?.message).toContain('Offered are: echo, broken');
  });

  test('ids that are missing or there twice are numbered; arguments and lists may be JSON as text', async () => {
    const calls = [
      { tool: 'echo', parameters: { word: 'one' } },
      item('a', 'echo', '{"word":"two"}'),
      item('a', 'echo', { word: 'three' }),
    ];
    const lead = leadWith([{ name: 'batch', id: 'b1', input: { calls: JSON.stringify(calls) } }]);
    await walk(lead);
    const text = resultsIn(lead)[0]?.text ?? '';
    const { results } = JSON.parse(text) as { results: Entry[] };
    expect(results.map(({ id, output }) => [id, output])).toEqual([
      ['1', 'heard one'],
      ['a', 'heard two'],
      ['a#3', 'heard three'],
    ]);
  });

  test('stands among the others of its turn, in call order', async () => {
    const own = (id: string) => ({ name: 'echo', id, input: { word: id } });
    const second = { name: 'agent__batch', id: 'b2', input: { calls: [item('z', 'echo', { word: 'z' })] } };
    const lead = leadWith([own('x'), batchOf(item('a', 'echo', { word: 'a' })), own('y'), second]);
    const { events, outcome } = await walk(lead);
    expect(resultsIn(lead).map(({ id }) => id)).toEqual(['x', 'b1', 'y', 'b2']);
    expect(endsIn(events).map(({ index, batch }) => [index, batch])).toEqual([
      [1, undefined],
      [2, 'b1'],
      [3, undefined],
      [4, 'b2'],
    ]);
    expect(conversationsOf(events)).toEqual(outcome.conversations);
    const last = outcome.conversations[outcome.sessionId]?.at(-2);
    expect(last?.role === 'tool' && last.content).toEqual(resultsIn(lead));
  });

  test('carries the files of its calls', async () => {
    const files = [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }] as const;
    const camera = defineTool({
      name: 'camera',
      inputSchema: { type: 'object' },
      execute: () => ({ type: 'text', value: 'a picture', files }),
    });
    const lead = leadWith([batchOf(item('a', 'camera'), item('b', 'camera'))], { tools: [camera] });
    const { events, outcome } = await walk(lead);
    expect(resultsIn(lead)[0]?.files).toEqual([...files, ...files]);
    expect(conversationsOf(events)).toEqual(outcome.conversations);
  });
});

test('it is no longer than its model takes', async () => {
  const tool = defineTool({
    name: 't',
    description: 'd',
    inputSchema: { type: 'object' },
    execute: () => '\u0001"\\\n'.repeat(3_000),
  });
  const calls = Array.from({ length: 9 }, (_, i) => ({ id: `${i}`, tool: 't', parameters: {} }));
  const lead = agent('lead', [{ calls: [{ name: 'agent__batch', input: { calls } }] }, 'fine'], {
    tools: [tool],
    batch: true,
    compaction: false,
    limits: { contextWindowTokens: 16_000, contextBufferTokens: 4_000 },
  });
  await walk(lead);
  const told = lead.model.requests[1]?.messages.find(({ role }) => role === 'tool');
  expect(told?.role === 'tool' && told.content[0]?.text.length).toBeLessThan(60_000);
});

describe('each call through the one door', () => {
  test('it counts as what it is, in the ledger, in the tree and against the limits of a turn', async () => {
    const child = agent('child', ['found']);
    const lead = leadWith(
      [
        batchOf(
          item('a', 'echo', { word: 'a' }),
          item('c', 'child', { text: 'look', reason: 'Look' }),
          item('late', 'echo', { word: 'b' }),
        ),
      ],
      { tools: [echo, asTool(child)], limits: { maxToolCallsPerTurn: 2 } },
    );
    const { events, outcome } = await walk(lead);
    expect(entriesIn(lead).map(({ ok, output, error }) => [ok, output ?? error?.code])).toEqual([
      [true, 'heard a'],
      [true, 'found'],
      [false, 'tool'],
    ]);
    const tools = ledgerOf(events).entries.filter((entry) => entry.type === 'tool');
    expect(tools.map(({ tool, status, batch }) => [tool, status, batch])).toEqual([
      ['echo', 'ok', 'b1'],
      ['child', 'ok', 'b1'],
      ['echo', 'refused', 'b1'],
    ]);
    expect(outcome.usage).toEqual(ledgerOf(events).total);
    const nodes = opTreeOf(events)?.turns[0]?.operations.filter(({ type }) => type === 'tool') ?? [];
    expect(nodes.map((node) => node.type === 'tool' && [node.label, node.batch, node.session?.status])).toEqual([
      ['echo', 'b1', undefined],
      ['child', 'b1', 'completed'],
      ['echo', 'b1', undefined],
    ]);
  });

  test('no more run at once than maxParallel', async () => {
    let [running, most] = [0, 0];
    const busy = defineTool({
      name: 'busy',
      inputSchema: { type: 'object' },
      execute: async () => {
        most = Math.max(most, ++running);
        await nextTick();
        running--;
        return 'ok';
      },
    });
    const items = Array.from({ length: 6 }, (_, i) => item(`${i}`, 'busy'));
    await walk(leadWith([batchOf(...items)], { tools: [busy], limits: { maxParallel: 2 } }));
    expect(most).toBe(2);
  });

  test('what is denied is denied in a batch too, and a batch that is denied runs nothing', async () => {
    const lead = leadWith([batchOf(item('a', 'echo', { word: 'a' }), item('b', 'broken'))], {
      permissions: { deny: ['broken'] },
    });
    const { events } = await walk(lead);
    expect(endsIn(events).map(({ result }) => result.status)).toEqual(['ok', 'refused']);
    const without = leadWith([batchOf(item('a', 'echo', { word: 'a' }))], { permissions: { deny: ['agent__batch'] } });
    const refused = await walk(without);
    expect(endsIn(refused.events).map(({ label, result }) => [label, result.status])).toEqual([['batch', 'refused']]);
    expect(without.model.requests[0]?.tools.map(({ name }) => name)).not.toContain('agent__batch');
  });

  test('a budget that ends inside a batch ends the work, and what was done is kept', async () => {
    const lead = leadWith([batchOf(item('a', 'echo', { word: 'a' }), item('b', 'echo', { word: 'b' }))], {
      budget: { toolCalls: 1 },
    });
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'toolCalls', text: 'done' });
    expect(entriesIn(lead).map(({ ok, error }) => [ok, error?.code])).toEqual([
      [true, undefined],
      [false, 'budget'],
    ]);
  });
});

describe('nothing is run', () => {
  test('of a batch whose reply was cut', async () => {
    const lead = agent(
      'lead',
      [{ calls: [batchOf(item('a', 'echo', { word: 'a' }))], finishReason: 'length' }, 'done'],
      { tools: [echo], batch: true },
    );
    const { events, outcome } = await walk(lead);
    expect(endsIn(events).map(({ result }) => result.failure?.code)).toEqual(['reply-cut']);
    expect(conversationsOf(events)).toEqual(outcome.conversations);
  });

  test.each([
    ['no list', { calls: 7 }, 'tool-arguments-invalid'],
    ['an empty list', { calls: [] }, 'tool-arguments-invalid'],
    ['damaged text', '{"calls": [', 'tool-arguments-invalid'],
  ])('of %s: the model is told', async (_what, input, code) => {
    const lead = leadWith([{ name: 'agent__batch', id: 'b1', input }]);
    const { events, outcome } = await walk(lead);
    expect(endsIn(events).map(({ result }) => result.failure?.code)).toEqual([code]);
    expect(outcome.status).toBe('completed');
  });

  test('where the agent has no batch', async () => {
    const lead = leadWith([batchOf(item('a', 'echo', { word: 'a' }))], { batch: false });
    const { events } = await walk(lead);
    expect(endsIn(events).map(({ result }) => result.failure?.code)).toEqual(['tool-unknown']);
    expect(lead.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['echo', 'broken']);
  });
});
