import { asTool, defineTool, type Fact, finSummaryOf, toLogLine, toLogRecord } from '@ai-agent/core';
import { expect, test, vi } from 'vitest';
import { agent, factTypes, inItsTime, start, walk } from './support/walk.ts';

const weigh = defineTool({
  name: 'weigh',
  inputSchema: { type: 'object' },
  identity: { namespace: 'lab', tool: 'scale' },
  execute: () => 'ü',
});

async function run() {
  const child = agent(
    'child',
    (request) =>
      request.messages.length > 1
        ? { text: 'weighed', costUsd: 0.5 }
        : { calls: [{ name: 'weigh', input: { a: 'é' } }], usage: {} },
    { tools: [weigh] },
  );
  const calls = ['first', 'second'].map((reason) => ({ name: 'child', input: { text: reason, reason } }));
  return walk(agent('lead', [{ calls }, { text: 'done', costUsd: 1 }], { tools: [asTool(child)] }));
}

test('ledger lines of tool calls carry bytes in and out and latency; unknown stays apart from zero', async () => {
  const { outcome } = await run();
  const line = outcome.ledger.entries.find((entry) => entry.type === 'tool' && entry.tool === 'scale');
  expect(line).toMatchObject({ namespace: 'lab', status: 'ok', bytesIn: 10, bytesOut: 2, latencyMs: 0 });
  expect(outcome.ledger.total).toMatchObject({ modelCalls: 6, unknownUsageCalls: 2, unknownCostCalls: 3, costUsd: 2 });
});

test('sums by session, by path and by name agree', async () => {
  const { ledger, usage } = (await run()).outcome;
  expect(usage).toEqual(ledger.total);
  expect(ledger.bySession.s1?.subtree).toEqual(ledger.total);
  expect(ledger.bySession['s1~1.2']).toMatchObject({
    instanceName: 'child[2]',
    callPath: 'lead:child',
    own: { modelCalls: 2, toolCalls: 1 },
  });
  expect(ledger.byPath['lead:child']).toEqual(ledger.byName.child);
  expect(ledger.byName.child?.modelCalls).toBe(4);
});

test('the tree nests sessions in the calls that started them, with titles, and heads of payloads', async () => {
  const { tree } = (await run()).outcome;
  const tools = tree?.turns[0]?.operations.filter((operation) => operation.type === 'tool') ?? [];
  expect(tools.map((tool) => [tool.instance, tool.title, tool.session?.input])).toEqual([
    ['child[1]', 'first', 'first'],
    ['child[2]', 'second', 'second'],
  ]);
  expect(tools[0]?.session?.turns[0]?.operations.map((operation) => operation.trace.turnPath)).toEqual([
    '1.1-1.0',
    '1.1-1.1',
  ]);
  const { outcome } = await walk(agent('long', [{ text: 'x'.repeat(5000) }]), 'y'.repeat(5000));
  expect(outcome.tree?.input.length).toBeLessThan(500);
  expect(outcome.tree?.output?.length).toBeLessThan(500);
});

test('the FIN summary has a line per path and model, per path and tool, and the total', async () => {
  const { lines } = finSummaryOf((await run()).outcome.ledger);
  expect(lines).toEqual([
    'FIN model lead scripted/model: 2 calls, 20 in + 10 out tokens, $1.0000+? (1 request of unknown cost), 0 ms',
    'FIN model lead:child scripted/model: 4 calls, 20+? in + 10+? out tokens (2 requests of unknown usage), $1.0000+? (2 requests of unknown cost), 0 ms',
    'FIN tool lead agent/child: 2 calls, 68 B in, 14 B out, 0 ms',
    'FIN tool lead:child lab/scale: 2 calls, 20 B in, 4 B out, 0 ms',
    'FIN total: 6 model calls, 4 tool calls, 40+? in + 20+? out tokens (2 requests of unknown usage), $2.0000+? (3 requests of unknown cost)',
  ]);
});

test('log records carry the trace, and lines of a child say so', async () => {
  const { events } = await run();
  const facts = events.filter((event): event is Fact => event.kind === 'fact');
  const records = facts.map(toLogRecord);
  expect(records[0]).toMatchObject({
    level: 'info',
    event: 'session-start',
    agentName: 'lead',
    originId: 's1',
    parentId: null,
    message: 'session of lead started',
  });
  const child = records.find((record) => record.selfId === 's1~1.1');
  expect(child && toLogLine(child)).toBe('child:child[1] s1~1.1 1.1 info session of child[1] started: first');
});

test('one call is one call in the summary', async () => {
  const { outcome } = await walk(agent('single', ['Done.']));
  expect(finSummaryOf(outcome.ledger).lines.at(-1)).toMatch(/^FIN total: 1 model call, 0 tool calls, /);
});

test('a log line counts the requests of a model call', async () => {
  const broken = { fail: { code: 'model-unavailable' as const, message: 'Overloaded.' } };
  const modelLines = async (script: Parameters<typeof agent>[1]) =>
    (await walk(agent('lead', script, { limits: { maxRetries: 2 } }))).events.flatMap((event) =>
      event.type === 'model-end' ? [toLogRecord(event).message.replace(/took \d+ ms/, 'took a while')] : [],
    );
  expect(await modelLines([broken, 'done'])).toEqual([
    'model scripted/model took a while in 2 requests, 10+? in + 5+? out tokens (1 request of unknown usage)',
  ]);
  expect(await modelLines([broken, broken])).toEqual([
    'model scripted/model took a while in 2 requests, 0+? in + 0+? out tokens (2 requests of unknown usage), failed (model): Overloaded.',
  ]);
});

test('the op tree and the ledger agree on calls that were cancelled and refused', async () => {
  const silent = { provider: 'silent', model: 'm', call: () => new Promise<never>(() => {}) };
  const run = start({ ...agent('lead', []), model: silent });
  await vi.waitFor(() => expect(factTypes(run.events)).toContain('model-start'));
  run.cancel();
  const cancelled = await inItsTime(run.clock, run.outcome);
  const refused = (await walk(agent('lead', ['never said'], { budget: { tokens: 1 } }))).outcome;
  for (const [outcome, status] of [
    [cancelled, 'cancelled'],
    [refused, 'refused'],
  ] as const) {
    expect(outcome.tree?.turns[0]?.operations).toMatchObject([{ status }]);
    expect(outcome.ledger.entries[0]).toMatchObject({ status });
  }
});
