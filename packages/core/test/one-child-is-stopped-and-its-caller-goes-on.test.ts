// One session below the root is stopped alone: it has a last word, its caller goes on with what it has, and nobody else is touched.

import { type Agent, asTool, defineTool, type Outcome, runInside, type ToolOffer } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, factTypes, inItsTime, nextTick, start } from './support/walk.ts';

const never = () => new Promise<never>(() => {});

/** Works until it is stopped. */
const dig = defineTool({ name: 'dig', inputSchema: { type: 'object' }, execute: never });

const callOf = (...names: readonly string[]) => names.map((name) => ({ name, input: { reason: 'r' } }));

function digger(name: string, lastWord = 'as far as I got') {
  return agent(name, [{ text: 'I dig.', calls: [{ name: 'dig' }] }, lastWord], { tools: [dig] });
}

/** Runs until each of these sessions works in a tool, or has been asked. */
async function begun(lead: Agent, isBegun: () => boolean) {
  const run = start(lead, 'go', { sessionId: 'run' });
  while (!isBegun()) await nextTick();
  for (let i = 0; i < 5; i++) await nextTick();
  return run;
}

const asks = ({ model }: { model: { requests: readonly unknown[] } }) => model.requests.length > 0;

/** How a session below ended, as its own facts and the result of its call have it. */
function endOf(events: Awaited<ReturnType<typeof begun>>['events'], id: string) {
  return events.flatMap((event) =>
    event.type === 'session-end' && event.trace.selfId === id ? [event.ending] : [],
  )[0];
}

const told = (model: { requests: readonly { messages: unknown }[] }) => JSON.stringify(model.requests.at(-1)?.messages);

test('it ends as partial with its last word, and its caller completes with that', async () => {
  const child = digger('child');
  const lead = agent('lead', [{ calls: callOf('child') }, 'done with what there is'], { tools: [asTool(child)] });
  const run = await begun(lead, () => asks(child));
  expect(run.stopBelow('run~1.1')).toBe(true);
  const outcome = await inItsTime(run.clock, run.outcome);
  expect(outcome).toMatchObject({ status: 'completed', text: 'done with what there is' });
  expect(endOf(run.events, 'run~1.1')).toMatchObject({ status: 'partial', limit: 'stop', text: 'as far as I got' });
  expect(child.model.requests.at(-1)?.tools).toEqual([]);
  expect(told(lead.model)).toContain('Partial: the limit stop stopped this');
  expect(told(lead.model)).toContain('as far as I got');
  const call = run.events.find(({ type, trace }) => type === 'tool-end' && trace.selfId === 'run');
  expect(call).toMatchObject({ result: { session: { id: 'run~1.1', status: 'partial', limit: 'stop' } } });
});

test('its siblings work on', async () => {
  const child = digger('child');
  let open = () => {};
  const until = new Promise<void>((resolve) => {
    open = resolve;
  });
  const sibling = agent('sibling', [{ text: 'all of it', until }]);
  const lead = agent('lead', [{ calls: callOf('child', 'sibling') }, 'both'], {
    tools: [asTool(child), asTool(sibling)],
  });
  const run = await begun(lead, () => asks(child) && asks(sibling));
  run.stopBelow('run~1.1');
  while (!endOf(run.events, 'run~1.1')) await nextTick();
  expect(endOf(run.events, 'run~1.2')).toBeUndefined();
  open();
  expect((await inItsTime(run.clock, run.outcome)).status).toBe('completed');
  expect(endOf(run.events, 'run~1.2')).toMatchObject({ status: 'completed', text: 'all of it' });
});

test('what runs below it is stopped with it, and has no last word', async () => {
  const grandchild = digger('grandchild');
  const child = agent('child', [{ text: 'I ask.', calls: callOf('grandchild') }, 'what we have'], {
    tools: [asTool(grandchild)],
  });
  const lead = agent('lead', [{ calls: callOf('child') }, 'fine'], { tools: [asTool(child)] });
  const run = await begun(lead, () => asks(grandchild));
  expect(run.stopBelow('run~1.1')).toBe(true);
  expect(await inItsTime(run.clock, run.outcome)).toMatchObject({ status: 'completed', text: 'fine' });
  expect(endOf(run.events, 'run~1.1~1.1')).toMatchObject({ status: 'partial', limit: 'stop', text: 'I dig.' });
  expect(endOf(run.events, 'run~1.1')).toMatchObject({ status: 'partial', limit: 'stop', text: 'what we have' });
  expect([grandchild.model.requests.length, child.model.requests.length]).toEqual([1, 2]);
});

test('a grandchild is stopped without its parent', async () => {
  const grandchild = digger('grandchild');
  const child = agent('child', [{ calls: callOf('grandchild') }, 'whole'], { tools: [asTool(grandchild)] });
  const lead = agent('lead', [{ calls: callOf('child') }, 'fine'], { tools: [asTool(child)] });
  const run = await begun(lead, () => asks(grandchild));
  expect(run.stopBelow('run~1.1~1.1')).toBe(true);
  expect((await inItsTime(run.clock, run.outcome)).status).toBe('completed');
  expect(endOf(run.events, 'run~1.1~1.1')).toMatchObject({ status: 'partial', limit: 'stop' });
  expect(endOf(run.events, 'run~1.1')).toMatchObject({ status: 'completed', text: 'whole' });
});

describe('wherever it is when it is stopped', () => {
  const cases: readonly (readonly [string, () => ReturnType<typeof agent>])[] = [
    [
      'in its first model call',
      () => agent('child', (_, n) => (n === 1 ? { text: '', until: never() } : 'nothing yet')),
    ],
    [
      'at a question for a person',
      () =>
        agent('child', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }, 'without it'], {
          ask: 'person',
        }),
    ],
  ];
  test.each(cases)('%s', async (_name, make) => {
    const child = make();
    const lead = agent('lead', [{ calls: callOf('child') }, 'fine'], { tools: [asTool(child)] });
    const run = start(lead, 'go', { sessionId: 'run', onQuestion: never });
    while (!asks(child)) await nextTick();
    for (let i = 0; i < 5; i++) await nextTick();
    expect(run.stopBelow('run~1.1')).toBe(true);
    expect((await inItsTime(run.clock, run.outcome)).status).toBe('completed');
    expect(endOf(run.events, 'run~1.1')).toMatchObject({ status: 'partial', limit: 'stop' });
  });

  test('while it opens', async () => {
    let open = () => {};
    const tools: ToolOffer = {
      list: () =>
        new Promise((resolve) => {
          open = () => resolve([]);
        }),
    };
    const child = agent('child', ['what I know'], { tools: [tools] });
    const lead = agent('lead', [{ calls: callOf('child') }, 'fine'], { tools: [asTool(child)] });
    const run = await begun(lead, () => asks(lead));
    expect(run.stopBelow('run~1.1')).toBe(true);
    open();
    expect((await inItsTime(run.clock, run.outcome)).status).toBe('completed');
    expect(endOf(run.events, 'run~1.1')).toMatchObject({ status: 'partial', limit: 'stop' });
  });

  test('during the work of a tool', async () => {
    const reader = digger('reader');
    const results: unknown[] = [];
    const read = defineTool({
      name: 'read',
      inputSchema: { type: 'object' },
      execute: async (_args, context) => {
        const result = await runInside(reader, 'read it', { context });
        results.push(result.text);
        return 'read';
      },
    });
    const lead = agent('lead', [{ calls: [{ name: 'read' }] }, 'fine'], { tools: [read] });
    const run = await begun(lead, () => asks(reader));
    expect(run.stopBelow('run~1.1.1')).toBe(true);
    expect((await inItsTime(run.clock, run.outcome)).status).toBe('completed');
    expect(results).toEqual(['as far as I got']);
  });
});

test('false for whoever does not run below: the root itself, one that has ended, an id from nowhere', async () => {
  const child = agent('child', ['quick']);
  const other = digger('other');
  const lead = agent('lead', [{ calls: callOf('child', 'other') }, 'fine'], { tools: [asTool(child), asTool(other)] });
  const run = await begun(lead, () => asks(other) && asks(child));
  while (!endOf(run.events, 'run~1.1')) await nextTick();
  for (const id of ['run', 'run~1.1', 'run~9.9', 'else~1.1', '']) expect(run.stopBelow(id)).toBe(false);
  expect(factTypes(run.events, 'run')).not.toContain('session-end');
  expect(run.stopBelow('run~1.2')).toBe(true);
  const outcome: Outcome = await inItsTime(run.clock, run.outcome);
  expect(outcome.status).toBe('completed');
  expect(run.stopBelow('run~1.2')).toBe(false);
});
