// The promise: a model that reads a long result is a session of its tree: counted once, within its budgets, over when it is.

import {
  type Agent,
  defaultTexts,
  defineTool,
  type Fact,
  inProcess,
  journaled,
  MemoryJournal,
  MemoryOutputs,
  type ModelRequest,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script, type Step, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start, walk } from './support/walk.ts';

const big = defineTool({
  name: 'big',
  inputSchema: { type: 'object' },
  execute: () => 'line of the log\n'.repeat(400),
});
const isReader = ({ system }: ModelRequest) => !system.startsWith('You are lead.');
const resultIn = ({ messages }: ModelRequest) => {
  const last = messages.at(-1);
  return last?.role === 'tool' ? (last.content[0]?.text ?? '') : '';
};

/** Calls `big`, has it read, and answers with what came of that. */
function reading(reader: (request: ModelRequest) => Step | string, args: object = { mode: 'full-chunked' }): Script {
  return (request) => {
    if (isReader(request)) return reader(request);
    const result = resultIn(request);
    const handle = /kept as "([^"]+)"/.exec(result)?.[1];
    if (handle) return { calls: [{ name: 'tool_output', input: { handle, extract: 'the end', ...args } }] };
    if (request.messages.length === 1) return { calls: [{ name: 'big' }] };
    return result === '' ? 'all I have' : result;
  };
}

function lead(reader: (request: ModelRequest) => Step | string, more: Partial<Agent> = {}, args?: object) {
  const limits = { contextWindowTokens: 2_048, maxToolOutputBytes: 1_024, ...more.limits };
  return agent('lead', reading(reader, args), { tools: [big], ...more, limits });
}

const factsOf = (events: readonly { kind: string }[]) => events.filter((event) => event.kind === 'fact') as Fact[];

describe('a model that reads for another', () => {
  test('is shown below the call as tool_output, and counted once', async () => {
    const { outcome } = await walk(
      lead(() => 'found'),
      'go',
      { sessionId: 'run' },
    );
    const operation = outcome.tree?.turns[1]?.operations.find((one) => one.type === 'tool');
    const inside = operation?.type === 'tool' ? (operation.inside ?? []) : [];
    expect(inside.length).toBeGreaterThan(3);
    expect(inside.every(({ trace, status }) => trace.agentName === 'tool_output' && status === 'completed')).toBe(true);
    expect(outcome.usage).toEqual(outcome.ledger.total);
    expect(outcome.usage).toMatchObject({ modelCalls: 3 + inside.length, toolCalls: 2 });
    expect(Object.keys(outcome.ledger.bySession)).toHaveLength(1 + inside.length);
  });

  test('reads side by side with others, as many as the agent runs at once', async () => {
    let [now, most] = [0, 0];
    const model = scriptedModel(reading(() => 'found'));
    const call: typeof model.call = async (request, context) => {
      now++;
      most = Math.max(most, now);
      await nextTick();
      now--;
      return model.call(request, context);
    };
    const caller = { ...lead(() => '', { limits: { maxParallel: 2 } }), model: { ...model, call } };
    await walk(caller);
    expect(most).toBe(2);
  });

  test('may be of another model, whose window decides how much it reads at once', async () => {
    const clerk = { ...scriptedModel(() => 'the clerk found it', { model: 'clerk' }), contextWindowTokens: 32_768 };
    const caller = lead(() => 'not asked', { toolOutput: { models: [clerk] }, settings: { topK: 7 } });
    const { outcome } = await walk(caller);
    expect(outcome.text).toBe('the clerk found it\n\n[A model read all of the result for this, at once.]');
    expect(clerk.requests).toHaveLength(1);
    expect(clerk.requests[0]?.settings).not.toHaveProperty('topK');
  });

  test('of the same model is sent what its caller sends, but for what ends its answers', async () => {
    const settings = { temperature: null, topP: 0.5, stopSequences: ['END'] };
    const caller = lead(() => 'found', { settings });
    await walk(caller);
    const read = caller.model.requests.find(isReader)?.settings;
    expect(read).toMatchObject({ topP: 0.5 });
    expect(read).not.toHaveProperty('temperature');
    expect(read).not.toHaveProperty('stopSequences');
  });

  test('is never a level too deep, and needs nobody to approve what it looks at', async () => {
    const search = (request: ModelRequest) =>
      resultIn(request) === '' ? { calls: [{ name: 'result_search', input: { search: 'log' } }] } : 'found';
    const permissions = { ask: ['result_*'] };
    const { outcome } = await walk(lead(search, { limits: { maxDepth: 0 }, permissions }, { mode: 'read-grep' }));
    expect(outcome.text).toMatch(/^found\n\n\[A model searched/);
  });
});

describe('when no model can read it, both ends are shown and it is said why', () => {
  test.each([
    ['a model that fails', { fail: { code: 'model-auth' as const, message: 'No such key.' } }, {}, 'No such key.'],
    ['one that says nothing', { text: '' }, {}, 'The limit maxTurns stopped this before'],
    ['no session left', 'found', { budget: { descendants: 0 } }, 'all the sub-agent sessions its budget allows'],
  ])('%s', async (_what, step: Step | string, more: Partial<Agent>, why) => {
    const { outcome } = await walk(lead(() => step, more, { mode: more.budget ? 'auto' : 'full-chunked' }));
    expect(outcome.status).toBe('completed');
    expect(outcome.text).toContain('[Cut here: of the 6400 bytes');
    expect(outcome.text).toContain('[No model could read it: ');
    expect(outcome.text).toContain(why);
    expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(1_024);
  });

  test('a budget of tokens: nothing of it is overdrawn, and its caller still answers', async () => {
    const caller = lead(() => ({ text: 'found', usage: { inputTokens: 1_000, outputTokens: 100 } }));
    const { outcome } = await walk({ ...caller, budget: { tokens: 6_000 } });
    expect(JSON.stringify(outcome.conversations)).toMatch(/No model could read it: [^\]]*tokens/);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'tokens', text: 'all I have' });
    const { inputTokens = 0, outputTokens = 0 } = outcome.usage;
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(6_000);
    expect(outcome.usage).toEqual(outcome.ledger.total);
  });
});

test('when one of several fails, the others end with the call', async () => {
  let begun = 0;
  const caller = lead(() => {
    begun++;
    return begun === 2 ? { fail: { code: 'model-auth' } } : { until: new Promise(() => {}) };
  });
  const { outcome } = await walk(caller);
  expect(outcome.text).toContain('[No model could read it: ');
  const operation = outcome.tree?.turns[1]?.operations.find((one) => one.type === 'tool');
  const inside = operation?.type === 'tool' ? (operation.inside ?? []) : [];
  expect(inside.map(({ status }) => status)).toEqual(['cancelled', 'failed', 'cancelled', 'cancelled']);
});

test('cancelled, the readers end before their caller does, and none begins any more', async () => {
  let begun = 0;
  const caller = lead(() => {
    begun++;
    return { until: new Promise(() => {}) };
  });
  const { outcome, cancel, events, clock } = start(caller, 'go', { sessionId: 'run' });
  while (begun < 4) await nextTick();
  cancel('enough');
  const ended = await inItsTime(clock, outcome);
  expect(ended.status).toBe('cancelled');
  const ends = factsOf(events).flatMap((fact) =>
    fact.type === 'session-end' ? [[fact.trace.agentName, fact.ending.status]] : [],
  );
  expect(ends).toEqual([...Array(4).fill(['tool_output', 'cancelled']), ['lead', 'cancelled']]);
  expect(begun).toBe(4);
  expect(ended.usage).toEqual(ended.ledger.total);
});

test('the handle of another tree is unknown, also where both keep theirs in one store', async () => {
  const ports = { ...fakePorts(), outputs: new MemoryOutputs() };
  const handles: string[] = [];
  const keeps = agent(
    'lead',
    (request) => {
      handles.push(...(/kept as "([^"]+)"/.exec(resultIn(request))?.slice(1) ?? []));
      return resultIn(request) === '' ? { calls: [{ name: 'big' }] } : 'done';
    },
    { tools: [big], limits: { maxToolOutputBytes: 1_024 } },
  );
  await walk(keeps, 'go', { ports, sessionId: 'one' });
  const thief = agent('lead', (request) =>
    resultIn(request) === ''
      ? { calls: [{ name: 'tool_output', input: { handle: handles[0], extract: 'anything' } }] }
      : resultIn(request),
  );
  const { outcome } = await walk(thief, 'go', { ports, sessionId: 'two' });
  expect(handles).toHaveLength(1);
  expect(outcome.text).toContain(`Nothing is kept as "${handles[0]}"`);
  expect(outcome.usage.modelCalls).toBe(2);
});

test('on a journal, what was read is not read again', async () => {
  const journal = new MemoryJournal();
  const run = async (held: MemoryJournal) => {
    let read = 0;
    const caller = lead(() => {
      read++;
      return 'found';
    });
    const runtime = strict(journaled(inProcess, held), { nextTick });
    const { outcome } = await walk(caller, 'go', {
      ports: fakePorts({ clock: new FakeClock() }),
      runtime,
      sessionId: 'run',
    });
    return { outcome, read };
  };
  const first = await run(journal);
  const second = await run(new MemoryJournal(JSON.parse(JSON.stringify([...journal.entries]))));
  expect(first.read).toBeGreaterThan(3);
  expect(second.read).toBe(0);
  expect(second.outcome.text).toBe(first.outcome.text);
  expect(second.outcome.ledger.total).toEqual(first.outcome.ledger.total);
});

test('its words can be replaced like all of ours', async () => {
  const caller = lead(() => 'found', { texts: { readOutput: 'Lies das.' }, limits: { contextWindowTokens: 16_384 } });
  await walk(caller);
  const system = caller.model.requests.find(isReader)?.system ?? '';
  expect(system).toContain('Lies das.');
  expect(system).not.toContain(defaultTexts.readOutput);
});
