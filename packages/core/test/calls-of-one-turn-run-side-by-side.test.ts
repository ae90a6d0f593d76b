import { asTool, defineTool } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { endsInCallOrder } from './support/call-order.ts';
import { agent, nextTick, start, walk } from './support/walk.ts';

/** A tool whose calls end when the test says so. */
function gate() {
  const running: { n: number; end: (text: string) => void }[] = [];
  const tool = defineTool<{ n: number }>({
    name: 'gate',
    inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
    execute: ({ n }) => new Promise((end) => running.push({ n, end })),
  });
  return { tool, running };
}

const callsTo = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ name, input: { n: i + 1 } }));

test('results come back in call order, whatever ends first', async () => {
  const { tool, running } = gate();
  const lead = agent('lead', [{ calls: callsTo('gate', 3) }, 'done'], { tools: [tool] });
  const { outcome, events } = start(lead);
  while (running.length < 3) await nextTick();
  for (const { n, end } of running.toReversed()) end(`result ${n}`);
  await outcome;
  const said = lead.model.requests[1]?.messages.at(-1);
  expect(said?.role === 'tool' && said.content.map((part) => part.text)).toEqual(['result 1', 'result 2', 'result 3']);
  expect(events.filter((event) => event.type === 'tool-end').map((event) => event.index)).toEqual([3, 2, 1]);
});

test('at most maxParallel run at once; the others wait their turn in order, and none is refused', async () => {
  const { tool, running } = gate();
  const { outcome, events, clock } = start(
    agent('lead', [{ calls: callsTo('gate', 5) }, 'done'], { tools: [tool], limits: { maxParallel: 2 } }),
  );
  const started: number[] = [];
  while (started.length < 5) {
    await nextTick();
    expect(running.length).toBeLessThanOrEqual(2);
    const next = running.shift();
    if (!next) continue;
    started.push(next.n);
    clock.advance(10);
    next.end('ok');
  }
  expect((await outcome).status).toBe('completed');
  expect(started).toEqual([1, 2, 3, 4, 5]);
  const waits = events.filter((event) => event.type === 'tool-end').map((event) => event.startedAt - 1_700_000_000_000);
  const ends = events.filter((event) => event.type === 'tool-end');
  expect(ends.map((event) => event.at)).toEqual(ends.map((event) => event.endedAt));
  expect(waits.slice(0, 2)).toEqual([0, 0]);
  expect(waits[4]).toBeGreaterThan(0);
});

test('calls beyond maxToolCallsPerTurn are refused, and the model is told to send them later', async () => {
  let runs = 0;
  const tool = defineTool({ name: 'tick', inputSchema: { type: 'object' }, execute: () => `${++runs}` });
  const { events } = await walk(
    agent('lead', [{ calls: callsTo('tick', 4) }, 'done'], { tools: [tool], limits: { maxToolCallsPerTurn: 3 } }),
  );
  expect(runs).toBe(3);
  const ends = endsInCallOrder(events);
  expect(ends.map((end) => end.result.status)).toEqual(['ok', 'ok', 'ok', 'refused']);
  expect(ends[3]?.result.text).toContain('next turn');
});

test('the last turn that maxTurns allows has no tools and ends as partial, with the work kept', async () => {
  const tool = defineTool({ name: 'tick', inputSchema: { type: 'object' }, execute: () => 'tock' });
  const lead = agent(
    'lead',
    (request) => (request.tools.length > 0 ? { calls: [{ name: 'tick' }] } : 'What I have: tock.'),
    { tools: [tool], limits: { maxTurns: 3 } },
  );
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'What I have: tock.' });
  expect(lead.model.requests.map((request) => request.tools.length)).toEqual([1, 1, 0]);
  expect(JSON.stringify(lead.model.requests[2]?.messages.at(-1))).toContain('maxTurns');
});

test('a model that calls on in its last turn is stopped there', async () => {
  const tool = defineTool({ name: 'tick', inputSchema: { type: 'object' }, execute: () => 'tock' });
  const lead = agent('lead', (_, call) => ({ text: `thinking ${call}`, calls: [{ name: 'tick' }] }), {
    tools: [tool],
    limits: { maxTurns: 2 },
  });
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'thinking 2' });
  expect(lead.model.requests).toHaveLength(2);
});

test('a partial child hands on its text, with the limit named', async () => {
  const child = agent('child', () => ({ text: 'half', finishReason: 'length' }));
  const lead = agent('lead', [{ calls: [{ name: 'child', input: { reason: 'r' } }] }, 'done'], {
    tools: [asTool(child)],
  });
  const { events } = await walk(lead);
  const result = events.findLast((event) => event.type === 'tool-end')?.result;
  expect(result).toMatchObject({ status: 'ok', session: { status: 'partial', limit: 'maxOutputTokens' } });
  expect(result?.text).toMatch(/maxOutputTokens[\s\S]*half/);
});

test('one turn in all leaves none for tools, and its answer is the answer', async () => {
  const tool = defineTool({ name: 'tick', inputSchema: { type: 'object' }, execute: () => 'tock' });
  const lead = agent('lead', ['At once.'], { tools: [tool], limits: { maxTurns: 1 } });
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'completed', text: 'At once.' });
  expect(lead.model.requests[0]?.tools).toEqual([]);
});

test('hints tell live watchers which work began and how it ended', async () => {
  const boom = defineTool({
    name: 'boom',
    inputSchema: { type: 'object' },
    execute: () => Promise.reject(new TypeError('no')),
  });
  const { events } = await walk(agent('lead', [{ calls: [{ name: 'boom' }] }, 'done'], { tools: [boom] }));
  const ends = events.filter((event) => event.type === 'operation-end').map((event) => [event.op, event.isOk]);
  expect(ends).toEqual([
    ['open', true],
    ['turn.1.model', true],
    ['turn.1.tool.1', false],
    ['turn.2.model', true],
  ]);
});
