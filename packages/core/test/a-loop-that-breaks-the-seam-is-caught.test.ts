// One broken loop per rule of the seam, each on the strict wrapper; and a sound one that passes.

import { type Clock, inProcess, type Operation, type Runtime, type ToolResult, type Workplace } from '@ai-agent/core';
import { strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { cancelled, Scope } from '../src/abort.ts';
import { placeAtRoot } from '../src/place.ts';
import { nextTick } from './support/walk.ts';

const clock: Clock = {
  now: () => 1,
  monotonicMs: () => 1,
  after: (_durationMs, wake) => {
    queueMicrotask(wake);
    return () => {};
  },
};

function open(perform: (name: string) => unknown = () => 'done', history?: Map<string, string[]>) {
  const scope = new Scope(() => 1);
  const workplace: Workplace = {
    sessionId: 's1',
    scope,
    clock,
    perform: async ({ name }) => perform(name),
    startSession: async ({ name }) => perform(name) as ToolResult,
    receive: async ({ name }) => perform(name),
    began: () => {},
    ended: () => {},
    tell: () => {},
  };
  const runtime = strict(inProcess, { nextTick, ...(history ? { history } : {}) })(workplace);
  return { runtime, scope };
}

const opening = { type: 'task', task: 'open', name: 'open', input: { agent: 'a' } } as const;
const call = { turn: 1, index: 1, tool: 't', callId: 'c', args: {}, instance: 't', title: null };
const toolTask = (name: string, args = {}): Operation => ({
  type: 'task',
  task: 'tool',
  name,
  input: { ...call, args },
});

const request = {
  system: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'a long question' }] }] as const,
  tools: [],
  output: { format: 'text' } as const,
  settings: {},
};

test('a sound loop passes', async () => {
  const { runtime } = open();
  await runtime.do(opening);
  await runtime.all([toolTask('turn.1.tool.1'), toolTask('turn.1.tool.2')], { limit: 1 });
  expect(await runtime.do({ type: 'timer', name: 'turn.2.timer', durationMs: 5 })).toMatchObject({
    ok: true,
    value: null,
  });
  expect(await runtime.do({ type: 'message', name: 'turn.2.question.1' })).toMatchObject({ ok: true, value: 'done' });
});

const broken: Record<
  string,
  { rule: RegExp; loop: (runtime: Runtime, scope: Scope) => Promise<unknown>; perform?: (name: string) => unknown }
> = {
  'its first operation is not open': {
    rule: /first operation is open/,
    loop: (runtime) => runtime.do(toolTask('turn.1.tool.1')),
  },
  'it hands over a closure': {
    rule: /an operation is plain JSON; open\.input\.agent is of type function/,
    loop: (runtime) => runtime.do({ ...opening, input: { agent: (() => 'a') as never } }),
  },
  'it hands over an instance of a class': {
    rule: /instance of a class/,
    loop: async (runtime) => {
      await runtime.do(opening);
      return runtime.do(toolTask('turn.1.tool.1', { when: new Map() }));
    },
  },
  'a task answers with what JSON cannot say': {
    rule: /a result is plain JSON; open\.value is of type undefined/,
    loop: (runtime) => runtime.do(opening),
    perform: () => undefined,
  },
  'a model’s result repeats the history': {
    rule: /a result is a delta/,
    loop: async (runtime) => {
      await runtime.do(opening);
      return runtime.do({
        type: 'task',
        task: 'model',
        name: 'turn.1.model',
        input: { turn: 1, request, models: [], isCorrected: false, inputTokens: 0, limit: null },
      });
    },
    perform: (name) =>
      name === 'open' ? 'done' : { messages: [...request.messages, { role: 'assistant', content: [] }] },
  },
  'it uses a name twice': {
    rule: /names are unique in a session; "turn\.1\.tool\.1"/,
    loop: async (runtime) => {
      await runtime.do(opening);
      return runtime.all([toolTask('turn.1.tool.1'), toolTask('turn.1.tool.1')], { limit: 2 });
    },
  },
  'it names an operation after the provider’s id': {
    rule: /names are ordinals, stable on replay; "turn\.1\.tool\.call_Ab3"/,
    loop: async (runtime) => {
      await runtime.do(opening);
      return runtime.do(toolTask('turn.1.tool.call_Ab3'));
    },
  },
  'it hands over two things at once': {
    rule: /one do or all at a time/,
    loop: async (runtime) => {
      await runtime.do(opening);
      return Promise.all([runtime.do(toolTask('turn.1.tool.1')), runtime.do(toolTask('turn.1.tool.2'))]);
    },
  },
  'it waits for something that is not an operation': {
    rule: /waits for nothing but its operations/,
    loop: async (runtime) => {
      await runtime.do(opening);
      await nextTick();
      await nextTick();
      return runtime.do(toolTask('turn.1.tool.1'));
    },
  },
  'it makes up the id of a session below': {
    rule: /derives from its operation; "s7"/,
    loop: async (runtime) => {
      await runtime.do(opening);
      return runtime.do({
        type: 'session',
        name: 'turn.1.tool.1',
        sessionId: 's7',
        caller: placeAtRoot({ name: 'a', id: 'a' }, 's1', 3),
        input: call,
      });
    },
  },
  'it changes arguments after handing them over': {
    rule: /read only/,
    loop: async (runtime) => {
      await runtime.do(opening);
      const args: Record<string, string> = { text: 'a' };
      const settling = runtime.do(toolTask('turn.1.tool.1', args));
      args.text = 'b';
      return settling;
    },
  },
  'it changes a result': {
    rule: /read only|not extensible|Cannot/,
    loop: async (runtime) => {
      const settled = await runtime.do(opening);
      (settled as { startedAt: number }).startedAt = 7;
    },
  },
  'it goes on after a cancellation': {
    rule: /nothing is handed over after a cancellation/,
    loop: async (runtime, scope) => {
      await runtime.do(opening);
      scope.abort(cancelled('enough'));
      await runtime.do(toolTask('turn.1.tool.1')).catch(() => {});
      return runtime.do(toolTask('turn.1.tool.2'));
    },
  },
  'it asks for no parallelism at all': {
    rule: /a limit from 1, not 0/,
    loop: async (runtime) => {
      await runtime.do(opening);
      return runtime.all([toolTask('turn.1.tool.1')], { limit: 0 });
    },
  },
};

describe('a loop is caught when', () => {
  test.each(Object.entries(broken))('%s', async (_, { loop, rule, perform }) => {
    const { runtime, scope } = open(perform);
    await expect((async () => loop(runtime, scope))()).rejects.toThrow(rule);
  });

  test('a replay asks for something else under a recorded name', async () => {
    const history = new Map<string, string[]>();
    const first = open(undefined, history).runtime;
    await first.do(opening);
    await first.do(toolTask('turn.1.tool.1', { text: 'a' }));
    const again = open(undefined, history).runtime;
    await again.do(opening);
    await expect(again.do(toolTask('turn.1.tool.1', { text: 'b' }))).rejects.toThrow(/a replay hands over the same/);
  });

  test('a replay hands over the same operations in another order, or in other batches', async () => {
    const history = new Map<string, string[]>();
    const first = open(undefined, history).runtime;
    await first.do(opening);
    await first.all([toolTask('turn.1.tool.1'), toolTask('turn.1.tool.2')], { limit: 2 });
    const again = open(undefined, history).runtime;
    await again.do(opening);
    await expect(again.do(toolTask('turn.1.tool.1'))).rejects.toThrow(/a replay hands over the same/);
  });

  test('it swallows the rule it broke, and goes on', async () => {
    const { runtime } = open();
    await runtime.do(toolTask('turn.1.tool.1')).catch(() => {});
    await expect(runtime.do(opening)).rejects.toThrow(/first operation is open/);
  });

  test('whoever does the work may change its arguments: it gets a copy', async () => {
    const args = { list: ['a'] };
    const { runtime } = open();
    await runtime.do(opening);
    expect(await runtime.do(toolTask('turn.1.tool.1', args))).toMatchObject({ ok: true });
    expect(Object.isFrozen(args.list)).toBe(true);
  });

  test('a runtime does not say when the work was done', async () => {
    const settled = [{ ok: true, value: 1 }] as never;
    const settleNow = async (_: unknown, onSettled?: (settled: never, index: number) => void) => {
      onSettled?.(settled[0], 0);
      return settled[0];
    };
    const timeless = strict(() => ({ do: settleNow, all: async () => settled }), { nextTick });
    const runtime = timeless({ sessionId: 's1', scope: new Scope(() => 1) } as Workplace);
    await expect(runtime.do(opening)).rejects.toThrow(/says when its work began and ended/);
  });

  test('a runtime throws instead of settling', async () => {
    const throwing = strict(
      () => ({ do: () => Promise.reject(new TypeError('oops')), all: () => Promise.reject(new TypeError('oops')) }),
      { nextTick },
    );
    const runtime = throwing({ sessionId: 's1', scope: new Scope(() => 1) } as Workplace);
    await expect(runtime.do(opening)).rejects.toThrow(/only cancellation throws/);
  });
});
