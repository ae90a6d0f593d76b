import { AIAgentSession, asTool, defineTool } from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { cancelled, Scope } from '../src/abort.ts';
import { agent, factTypes, nextTick, start, strictRuntime } from './support/walk.ts';

/** A signal that counts who listens to it. */
function countingSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, count: () => listeners };
}

const noArguments = { type: 'object' } as const;

function tree(seen: { signal?: AbortSignal; started: number }, tool: 'obeys' | 'ignores') {
  const hang = defineTool({
    name: 'hang',
    inputSchema: noArguments,
    execute: (_, { signal }) => {
      seen.signal = signal;
      seen.started++;
      return new Promise((_, reject) => {
        if (tool === 'obeys') signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  });
  const grandchild = agent('grandchild', [{ calls: [{ name: 'hang' }] }], { tools: [hang] });
  const child = agent('child', [{ calls: [{ name: 'grandchild', input: { reason: 'r' } }] }], {
    tools: [asTool(grandchild)],
  });
  return agent('lead', [{ calls: [{ name: 'child', input: { reason: 'r' } }] }, 'never'], { tools: [asTool(child)] });
}

describe.each(['obeys', 'ignores'] as const)('a tool three levels down that %s its signal', (kind) => {
  test('the run ends at once as cancelled, every session tells its end, deepest first', async () => {
    const seen: { signal?: AbortSignal; started: number } = { started: 0 };
    const { cancel, outcome, events, clock } = start(tree(seen, kind));
    while (seen.started === 0) await nextTick();
    clock.advance(40);
    cancel('Enough.');
    const result = await outcome;
    expect(result).toMatchObject({ status: 'cancelled', failure: { class: 'cancelled', message: 'Enough.' } });
    expect(seen.signal?.aborted).toBe(true);
    const ends = events
      .filter((event) => event.type === 'session-end')
      .map((event) => [event.trace.agentName, event.ending.status]);
    expect(ends).toEqual([
      ['grandchild', 'cancelled'],
      ['child', 'cancelled'],
      ['lead', 'cancelled'],
    ]);
    expect(result.endedAt - result.startedAt).toBe(40);
    expect(result.tree?.turns[0]?.operations.at(-1)).toMatchObject({ status: 'cancelled' });
  });
});

test('calls that a cancellation cut off count once, and what they used is unknown', async () => {
  const never = new Promise(() => {});
  const child = agent('child', [{ until: never }]);
  const lead = agent('lead', [{ calls: [{ name: 'child', input: { reason: 'r' } }] }], { tools: [asTool(child)] });
  const run = start(lead);
  while (child.model.requests.length === 0) await nextTick();
  run.cancel();
  const { usage, ledger } = await run.outcome;
  expect(ledger.total).toMatchObject({ modelCalls: 2, toolCalls: 1, unknownUsageCalls: 1, inputTokens: 10 });
  expect(usage).toEqual(ledger.total);
});

test('a caller’s signal cancels the tree, has one listener while it runs and none afterwards', async () => {
  const { controller, signal, count } = countingSignal();
  const seen: { started: number } = { started: 0 };
  const { outcome } = start(tree(seen, 'ignores'), 'go', { signal });
  while (seen.started === 0) await nextTick();
  expect(count()).toBe(1);
  controller.abort('closed the window');
  expect(await outcome).toMatchObject({
    status: 'cancelled',
    failure: { message: 'The caller cancelled the run: closed the window.' },
  });
  expect(count()).toBe(0);
});

test('a run that ends by itself leaves no listener and no timer either', async () => {
  const { signal, count } = countingSignal();
  const child = agent('child', () => 'done');
  const calls = Array.from({ length: 6 }, () => ({ name: 'child', input: { reason: 'r' } }));
  const { outcome, clock } = start(agent('lead', [{ calls }, 'all done'], { tools: [asTool(child)] }), 'go', {
    signal,
  });
  expect((await outcome).status).toBe('completed');
  expect(count()).toBe(0);
  expect(clock.timers).toBe(0);
});

test('a signal that is aborted already starts nothing', async () => {
  const hello = agent('hello', ['never']);
  const { outcome, events } = start(hello, 'go', { signal: AbortSignal.abort() });
  expect(await outcome).toMatchObject({ status: 'cancelled', text: '' });
  expect(hello.model.requests).toEqual([]);
  expect(factTypes(events)).toEqual(['session-start', 'session-end']);
});

test('cancelling one run does not touch another of the same agents', async () => {
  const clock = new FakeClock();
  const slow = { ...agent('slow', []), model: scriptedModel(() => ({ text: 'done', latencyMs: 5 }), { clock }) };
  const run = () =>
    new AIAgentSession({ agent: slow, ports: fakePorts({ clock }), runtime: strictRuntime() }).run('go');
  const [first, second] = [run(), run()];
  while (slow.model.requests.length < 2) await nextTick();
  first.cancel();
  expect((await first.outcome).status).toBe('cancelled');
  clock.advance(5);
  expect(await second.outcome).toMatchObject({ status: 'completed', text: 'done' });
  expect(clock.timers).toBe(0);
});

test('a scope that is closed is forgotten by its parent; one born under an aborted parent is aborted', () => {
  const root = new Scope(() => 7);
  const child = new Scope(root);
  expect(root.held).toBe(1);
  child.close();
  expect(root.held).toBe(0);
  root.abort(cancelled('over'));
  const late = new Scope(root);
  expect([late.isAborted, late.signal.aborted, late.abortedAt, root.held]).toEqual([true, true, 7, 0]);
});

describe.each(['cancel', 'stop'] as const)('what is just about to begin does not, after %s', (deed) => {
  const status = deed === 'cancel' ? 'cancelled' : 'partial';
  const input = { reason: 'r' };

  test('a request to a model', async () => {
    const child = agent('child', () => {
      run[deed]();
      return 'c';
    });
    const calls = [1, 2].map(() => ({ name: 'child', input }));
    const run = start(agent('lead', [{ calls }, 'last'], { tools: [asTool(child)] }));
    expect((await run.outcome).status).toBe(status);
    expect(child.model.requests).toHaveLength(1);
  });

  test('a tool', async () => {
    let begun = 0;
    const execute = () => {
      begun++;
      run[deed]();
      return 'done';
    };
    const tool = defineTool({ name: 'tool', inputSchema: noArguments, execute });
    const calls = [1, 2].map(() => ({ name: 'tool', input }));
    const run = start(agent('lead', [{ calls }, 'last'], { tools: [tool] }));
    expect((await run.outcome).status).toBe(status);
    expect(begun).toBe(1);
  });
});
