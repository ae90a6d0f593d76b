// The outcome lists every child whose work is missing from the answer, and no child whose work is in it.

import {
  type Agent,
  type AgentEvent,
  asPartner,
  asTool,
  continuationOf,
  incompleteIn,
  MemoryCache,
  MemoryPauses,
  opTreeOf,
  outcomeOf,
  toOutcomeDocument,
} from '@ai-agent/core';
import { FakeClock, fakePorts, type Script } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { agent, factTypes, inItsTime, start, walk } from './support/walk.ts';

const hourMs = 3_600_000;

const call = (name: string, input: object = {}) => ({ name, input: { reason: `ask ${name}`, text: 'go', ...input } });
const broken = (name: string) => agent(name, () => ({ fail: { code: 'model-auth' as const } }));
/** Fails at its first calls and answers after that. */
const late = (name: string, failures = 1) =>
  agent(name, (_request, count) => (count > failures ? 'here it is' : { fail: { code: 'model-auth' as const } }));

test('a budget stops a sub-agent before its first call, and the lead answers without it', async () => {
  const researcher = agent('researcher', ['never said'], { budget: { tokens: 1 } });
  const lead = agent('lead', [{ calls: [call('researcher')] }, 'Without the research: yes.'], {
    tools: [asTool(researcher)],
  });
  const { outcome, events } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'completed', text: 'Without the research: yes.' });
  expect(outcome.incomplete).toMatchObject([
    {
      path: 'lead:researcher',
      title: 'ask researcher',
      status: 'failed',
      sessionId: `${outcome.sessionId}~1.1`,
      failure: { class: 'budget', code: 'budget-exhausted', limit: 'tokens' },
    },
  ]);
  expect(toOutcomeDocument(outcome).incomplete).toEqual(outcome.incomplete);
  const facts = events.filter((event) => event.kind === 'fact');
  expect(incompleteIn(opTreeOf(facts))).toEqual(outcome.incomplete);
  expect(outcomeOf(facts)?.incomplete).toEqual(outcome.incomplete);
});

test('a sub-agent whose tools cannot start is listed', async () => {
  const dead = {
    list: () => {
      throw new Error('The server "notes" did not start: command not found.');
    },
  };
  const researcher = agent('researcher', ['never said'], { tools: [dead] });
  const lead = agent('lead', [{ calls: [call('researcher')] }, 'done'], { tools: [asTool(researcher)] });
  const { outcome } = await walk(lead);
  expect(outcome.status).toBe('completed');
  expect(outcome.incomplete).toMatchObject([
    { path: 'lead:researcher', status: 'failed', failure: { code: 'tool-source-failed' } },
  ]);
});

test('an answer that misses nothing has an empty list', async () => {
  const lead = agent('lead', [{ calls: [call('helper')] }, 'done'], { tools: [asTool(agent('helper', ['yes']))] });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete).toEqual([]);
  expect(toOutcomeDocument(outcome).incomplete).toEqual([]);
});

test('a child that a limit cut off keeps its text and is listed as partial', async () => {
  const helper = agent('helper', ({ tools }) => (tools.length > 0 ? { text: 'half', calls: [call('kid')] } : 'half'), {
    limits: { maxTurns: 2 },
    tools: [asTool(agent('kid', () => 'ok'))],
  });
  const lead = agent('lead', [{ calls: [call('helper')] }, 'done'], { tools: [asTool(helper)] });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete).toEqual([
    {
      path: 'lead:helper',
      title: 'ask helper',
      status: 'partial',
      limit: 'maxTurns',
      sessionId: `${outcome.sessionId}~1.1`,
    },
  ]);
});

test('nested children are listed, and a refused call that started no session is too', async () => {
  const worker = broken('worker');
  const manager = agent('manager', [{ calls: [call('worker')] }, 'managed'], { tools: [asTool(worker)] });
  const lead = agent('lead', [{ calls: [call('manager'), call('manager', { text: 'more' })] }, 'done'], {
    tools: [asTool(manager)],
    limits: { maxToolCallsPerTurn: 1 },
  });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete).toMatchObject([
    { path: 'lead:manager:worker', status: 'failed', failure: { class: 'auth' } },
    { path: 'lead:manager', status: 'refused', failure: { code: 'tool-refused' } },
  ]);
  expect(outcome.incomplete[1]).not.toHaveProperty('sessionId');
});

test('advisors count', async () => {
  const lead = agent('lead', ['done'], { advisors: [asPartner(broken('critic'))] });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete).toMatchObject([{ path: 'lead:critic', title: null, status: 'failed' }]);
});

test('a later call that asks the same and completes makes up for a child, whatever reason it gives', async () => {
  const calls = [
    { calls: [call('helper')] },
    { calls: [call('helper', { text: 'other' })] },
    { calls: [{ name: 'helper', input: { text: 'go', reason: 'again' } }] },
  ];
  const lead = agent('lead', [...calls, 'done'], { tools: [asTool(late('helper', 2))] });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete).toMatchObject([{ path: 'lead:helper', sessionId: `${outcome.sessionId}~2.1` }]);
  // A call that fails as well is listed in place of the first.
  const never = agent('lead', [...calls, 'done'], { tools: [asTool(broken('helper'))] });
  const { sessionId, incomplete } = (await walk(never)).outcome;
  expect(incomplete.map((child) => child.sessionId)).toEqual([`${sessionId}~2.1`, `${sessionId}~3.1`]);
});

test('an earlier call that asked the same makes up for a child in its own turn only', async () => {
  const flaky = () =>
    agent('kid', (_request, count) => (count === 1 ? 'here' : { fail: { code: 'model-auth' as const } }));
  const ask = async (...turns: readonly (readonly unknown[])[]) => {
    const lead = agent('lead', [...turns.map((calls) => ({ calls })), 'done'] as never, { tools: [asTool(flaky())] });
    return (await walk(lead)).outcome.incomplete;
  };
  expect(await ask([call('kid'), call('kid')])).toEqual([]);
  expect(await ask([call('kid')], [call('kid')])).toMatchObject([{ path: 'lead:kid', status: 'failed' }]);
});

test('wrong arguments count only if no later call of the agent completed', async () => {
  const wrong = { calls: [{ name: 'helper', input: { text: 'go' } }] };
  const right = { calls: [call('helper', { text: 'corrected' })] };
  const play = async (script: Script) => {
    const lead = agent('lead', script, { tools: [asTool(agent('helper', ['yes']))] });
    return (await walk(lead)).outcome.incomplete;
  };
  expect(await play([wrong, right, 'done'])).toEqual([]);
  expect(await play([wrong, 'done'])).toMatchObject([
    { path: 'lead:helper', status: 'refused', failure: { code: 'tool-arguments-invalid' } },
  ]);
});

test('two wrong calls of one turn need two corrected calls', async () => {
  const wrong = (text: string) => ({ name: 'helper', input: { text } });
  const right = call('helper', { text: 'corrected' });
  const play = async (...turns: readonly (readonly unknown[])[]) => {
    const script = [...turns.map((calls) => ({ calls })), 'done'] as never;
    return (await walk(agent('lead', script, { tools: [asTool(agent('helper', ['yes', 'yes']))] }))).outcome.incomplete;
  };
  expect(await play([wrong('a'), wrong('b')], [right])).toMatchObject([{ path: 'lead:helper', status: 'refused' }]);
  expect(await play([wrong('a'), wrong('b')], [right, call('helper', { text: 'b' })])).toEqual([]);
  expect(await play([wrong('a')], [wrong('b')], [right])).toEqual([]);
});

test('of two equal calls in one turn, both without the work of a grandchild, one lists it', async () => {
  const middle = agent(
    'middle',
    ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'without it' : { calls: [call('kid')] }),
    { tools: [asTool(broken('kid'))] },
  );
  const lead = agent('lead', [{ calls: [call('middle'), call('middle')] }, 'done'], { tools: [asTool(middle)] });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete).toMatchObject([{ path: 'lead:middle:kid', status: 'failed' }]);
});

test('a question that a person is asked now is not missing', async () => {
  const pauses = new MemoryPauses();
  const asking = (name: string) =>
    agent(
      name,
      ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'thanks' : { calls: [{ name: 'ask_user', input: { question: name } }] },
      { ask: 'person' },
    );
  const round = (prompt: string, sessionId: string, resume?: string) => {
    const tools = [asTool(asking('first')), asTool(asking('second'))];
    const lead = agent(
      'lead',
      ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'done' : { calls: [call('first'), call('second')] }),
      { tools },
    );
    const ports = fakePorts({ clock: new FakeClock(), pauses });
    return walk(lead, prompt, { ports, sessionId, ...(resume === undefined ? {} : { resume }) });
  };
  const rounds = [await round('go', 'one'), await round('this', 'two', 'one'), await round('that', 'three', 'two')];
  expect(rounds.map(({ outcome: { status, incomplete } }) => [status, incomplete])).toEqual([
    ['needs_user_input', []],
    ['needs_user_input', []],
    ['completed', []],
  ]);
});

test('a child without any text before its limit is a failed call', async () => {
  const helper = agent('helper', ({ tools }) => (tools.length > 0 ? { calls: [call('kid')] } : ''), {
    limits: { maxTurns: 2 },
    tools: [asTool(agent('kid', () => 'ok'))],
  });
  const lead = agent('lead', [{ calls: [call('helper')] }, 'done'], { tools: [asTool(helper)] });
  const { outcome, events } = await walk(lead);
  expect(outcome.status).toBe('completed');
  expect(outcome.incomplete).toMatchObject([
    { path: 'lead:helper', status: 'failed', failure: { class: 'budget', code: 'limit-reached', limit: 'maxTurns' } },
  ]);
  const told = lead.model.requests[1]?.messages.at(-1);
  expect(told).toMatchObject({ role: 'tool', content: [{ isError: true }] });
  expect(JSON.stringify(told)).toContain('The limit maxTurns stopped this before it had produced anything.');
  const entry = outcome.ledger.entries.find((each) => each.type === 'tool' && each.tool === 'helper');
  expect(entry).toMatchObject({ status: 'failed', failureClass: 'budget' });
  expect(events.filter((event) => event.type === 'turn-start').every((event) => event.limit !== 'limit-reached')).toBe(
    true,
  );
});

test('a session that continues after a question keeps what was missing, each child once', async () => {
  const pauses = new MemoryPauses();
  const ports = () => fakePorts({ clock: new FakeClock(), pauses });
  const asking = (): Agent => ({
    ...agent(
      'asker',
      ({ messages }) => {
        if (messages.at(-1)?.role !== 'tool') return { calls: [call('worker')] };
        // It asks twice.
        const answers = messages.filter((said) => said.role === 'tool' && said.content[0]?.name === 'ask_user');
        return answers.length === 2 ? 'thanks' : { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
      },
      { ask: 'person', tools: [asTool(broken('worker'))] },
    ),
  });
  const lead = () =>
    agent(
      'lead',
      ({ messages }) => {
        const asked = messages.filter(({ role }) => role === 'assistant').length;
        return asked === 0 ? { calls: [call('broken')] } : asked === 1 ? { calls: [call('asker')] } : 'done';
      },
      { tools: [asTool(broken('broken')), asTool(asking())] },
    );
  const first = await walk(lead(), 'go', { ports: ports(), sessionId: 'one' });
  expect(first.outcome.status).toBe('needs_user_input');
  const paths = ['lead:broken', 'lead:asker:worker'];
  expect(first.outcome.incomplete.map(({ path }) => path)).toEqual(paths);
  const second = await walk(lead(), 'this', { ports: ports(), sessionId: 'two', resume: 'one' });
  expect(second.outcome.status).toBe('needs_user_input');
  expect(second.outcome.incomplete.map(({ path }) => path)).toEqual(paths);
  const third = await walk(lead(), 'that', { ports: ports(), sessionId: 'three', resume: 'two' });
  expect(third.outcome).toMatchObject({ status: 'completed', text: 'done' });
  expect(third.outcome.incomplete.map(({ path }) => path)).toEqual(paths);
});

test('a stop leaves a child with its text as partial', async () => {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const helper = agent('helper', [{ text: 'half', calls: [{ name: 'slow', input: {} }] }, 'never said'], {
    tools: [
      {
        name: 'slow',
        inputSchema: { type: 'object' },
        execute: (_args, { signal }) =>
          new Promise<string>((resolve) => {
            release();
            signal.addEventListener('abort', () => resolve('late'));
          }),
      },
    ],
  });
  const lead = agent('lead', [{ calls: [call('helper')] }, 'what there is'], { tools: [asTool(helper)] });
  const run = start(lead);
  await until;
  run.stop();
  const outcome = await inItsTime(run.clock, run.outcome);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'what there is' });
  expect(outcome.incomplete).toMatchObject([{ path: 'lead:helper', status: 'partial' }]);
});

test('a child that asks its caller and is answered loses nothing and is listed once', async () => {
  const asker = agent(
    'asker',
    ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role !== 'tool') return { calls: [call('worker')] };
      return last.content[0]?.name === 'ask_user'
        ? 'thanks'
        : { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
    },
    { ask: 'caller', tools: [asTool(broken('worker'))] },
  );
  const play = async (script: Script) =>
    (await walk(agent('lead', script, { tools: [asTool(asker)] }), 'go', { sessionId: 'run' })).outcome;
  const answer = call('asker', { resume: 'run~1.1', answer: 'this' });
  const answered = await play([{ calls: [call('asker')] }, { calls: [answer] }, 'done']);
  const ignored = await play([{ calls: [call('asker')] }, 'done']);
  const worker = { path: 'lead:asker:worker', sessionId: 'run~1.1~1.1' };
  expect(answered).toMatchObject({ status: 'completed', incomplete: [worker] });
  const asked = { path: 'lead:asker', status: 'failed', failure: { code: 'question-left' } };
  expect(ignored).toMatchObject({ status: 'completed', incomplete: [asked, worker] });
});

test('an answer that fails is made up for by a new call with the first arguments', async () => {
  const replies: Script = [
    { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
    { fail: { code: 'model-auth' } },
    'all of it',
  ];
  const asker = agent('asker', replies, { ask: 'caller' });
  const answer = call('asker', { resume: 'run~1.1', answer: 'this' });
  const play = async (last: readonly object[]) => {
    const script = [{ calls: [call('asker')] }, { calls: [answer] }, ...last, 'done'] as Script;
    return (await walk(agent('lead', script, { tools: [asTool(asker)] }), 'go', { sessionId: 'run' })).outcome
      .incomplete;
  };
  expect(await play([{ calls: [call('asker')] }])).toEqual([]);
});

test.each([
  ['an unknown handle', [{ resume: 'run~1.l', answer: 'red' }]],
  ['an answer outside the choices', [{ resume: 'run~1.1', answer: 'green' }]],
  ['the same answer twice', []],
])('%s loses nothing if the question is answered in the end', async (_, mistakes) => {
  const asker = agent(
    'asker',
    [{ calls: [{ name: 'ask_user', input: { question: 'Which?', choices: ['red', 'blue'] } }] }, 'all of it'],
    { ask: 'caller' },
  );
  const answer = call('asker', { resume: 'run~1.1', answer: 'red' });
  const answers = mistakes.length > 0 ? [answer] : [answer, answer];
  const wrong = mistakes.map((input) => ({ calls: [call('asker', input)] }));
  const lead = agent('lead', [{ calls: [call('asker')] }, ...wrong, { calls: answers }, 'done'], {
    tools: [asTool(asker)],
  });
  const { outcome } = await walk(lead, 'go', { sessionId: 'run' });
  expect(outcome).toMatchObject({ status: 'completed', incomplete: [] });
});

test('calls with different wrong arguments are listed one by one', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
  const kid = agent('kid', [], { input: { format: 'json', schema } });
  const wrong = (reason: string) => ({ name: 'kid', input: { reason, n: reason } });
  const lead = agent('lead', [{ calls: [wrong('one'), wrong('two')] }, 'done'], { tools: [asTool(kid)] });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete.map(({ title }) => title)).toEqual(['one', 'two']);
});

test.each([
  ['wrong then right', [{ tpic: 'A' }, { topic: 'B' }], ['A']],
  ['right then wrong', [{ topic: 'A' }, { tpic: 'B' }], ['B']],
])(
  'a call with wrong arguments is not made up for by another call of the same reply: %s',
  async (_, inputs, missing) => {
    const properties = { topic: { type: 'string' } };
    const schema = { type: 'object', properties, required: ['topic'], additionalProperties: false } as const;
    const kid = agent('kid', () => 'found', { input: { format: 'json', schema } });
    const titles = ['A', 'B'];
    const calls = inputs.map((input, i) => ({ name: 'kid', input: { ...input, reason: titles[i] } }));
    const lead = agent('lead', [{ calls }, 'done'], { tools: [asTool(kid)] });
    const { outcome } = await walk(lead);
    expect(outcome.incomplete.map(({ title }) => title)).toEqual(missing);
  },
);

test('calls with different wrong arguments and without a title are listed one by one', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
  const kid = agent('kid', [], { input: { format: 'json', schema } });
  const wrong = (n: string) => ({ name: 'kid', input: { n } });
  const lead = agent('lead', [{ calls: [wrong('one'), wrong('two')] }, 'done'], { tools: [asTool(kid)] });
  expect((await walk(lead)).outcome.incomplete).toHaveLength(2);
});

test('of the calls in a reply that was cut, each is missing until it is made again', async () => {
  const play = async (...again: readonly string[]) => {
    const cut = { finishReason: 'length' as const, calls: [call('kid', { text: 'a' }), call('kid', { text: 'b' })] };
    const redone = again.map((text) => ({ calls: [call('kid', { text })] }));
    const lead = agent('lead', [cut, ...redone, 'done'], { tools: [asTool(agent('kid', () => 'found'))] });
    return (await walk(lead)).outcome.incomplete;
  };
  expect(await play('a')).toMatchObject([{ path: 'lead:kid', failure: { code: 'reply-cut' } }]);
  expect(await play('a', 'b')).toEqual([]);
});

test('a kept agent that fails is not made up for by its next call in the same reply', async () => {
  const kid = agent('kid', (_request, count) => (count === 1 ? { fail: { code: 'model-auth' as const } } : 'b done'), {
    hold: 'kept',
  });
  const lead = agent('lead', [{ calls: [call('kid', { reason: 'A' }), call('kid', { reason: 'B' })] }, 'done'], {
    tools: [asTool(kid)],
  });
  expect((await walk(lead)).outcome.incomplete).toMatchObject([{ title: 'A', status: 'failed' }]);
});

test('an answer without the answer to a question of a child is not cached', async () => {
  const clock = new FakeClock();
  const cache = new MemoryCache(clock);
  const asker = agent('asker', () => ({ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }), {
    ask: 'caller',
  });
  const ask = async () => {
    const lead = agent('lead', [{ calls: [call('asker')] }, 'done'], {
      tools: [asTool(asker)],
      cache: { ttlMs: hourMs, version: '1' },
    });
    const { outcome, ...run } = start(lead, 'go', { ports: { ...fakePorts({ clock }), cache } });
    return { ...(await inItsTime(clock, outcome)), ...run };
  };
  for (const _time of ['first', 'second'])
    expect((await ask()).incomplete).toMatchObject([{ failure: { code: 'question-left' } }]);
});

test.each([
  ['first', [true, false]],
  ['last', [false, true]],
])('of two equal calls in one turn, the one that completes (%s) makes up for the other', async (_, order) => {
  const helper = agent('helper', (_request, count) =>
    order[count - 1] ? 'here' : { fail: { code: 'model-auth' as const } },
  );
  const lead = agent('lead', [{ calls: [call('helper'), call('helper')] }, 'done'], {
    tools: [asTool(helper)],
    limits: { maxParallel: 1 },
  });
  expect((await walk(lead)).outcome.incomplete).toEqual([]);
});

test('a later call of a kept agent continues the work of the call that was cut off', async () => {
  const kid = agent(
    'kid',
    ({ tools, messages }) => {
      if (JSON.stringify(messages).includes('continue')) return 'all of it';
      return tools.length > 0 ? { text: 'half', calls: [call('part')] } : 'half';
    },
    { limits: { maxTurns: 2 }, hold: 'kept', tools: [asTool(agent('part', () => 'ok'))] },
  );
  const lead = agent('lead', [{ calls: [call('kid')] }, { calls: [call('kid', { text: 'continue' })] }, 'done'], {
    tools: [asTool(kid)],
  });
  expect((await walk(lead)).outcome.incomplete).toEqual([]);
});

const hanging = (name: string): Agent => ({
  ...agent(name, []),
  model: { provider: 'silent', model: 'm', call: () => new Promise<never>(() => {}) },
});

/** The next round of a session whose facts end here. */
async function continued(events: readonly AgentEvent[], next: Agent, options: Parameters<typeof walk>[2] = {}) {
  const facts = events.filter((event) => event.kind === 'fact');
  const head = {
    id: 's1',
    agent: 'lead',
    owner: null,
    headend: 'test',
    isDetached: false,
    status: 'interrupted',
  } as const;
  const from = await continuationOf({ facts: () => facts }, { ...head, createdAt: 0, facts: 0, resumptions: 0 });
  return (await walk(next, 'go on', { ...options, ...from, sessionId: 's1-2' })).outcome;
}

test.each(['advisors', 'handoff'] as const)(
  '%s that was lost with a killed run makes up for that in the next round',
  async (role) => {
    const lead = (kid: Agent) => agent('lead', ['mine'], { [role]: [asPartner(kid)] });
    const run = start(lead(hanging('kid')));
    const isAsked = () => run.events.some(({ type, trace }) => type === 'model-start' && trace.agentName === 'kid');
    await vi.waitFor(() => expect(isAsked()).toBe(true));
    const next = await continued(run.events, lead(agent('kid', ['here'])));
    run.cancel();
    expect(next).toMatchObject({ status: 'completed', incomplete: [] });
  },
);

test('a run that continues a cancelled one lists the children that were cut off there', async () => {
  const lead = (script: Script, kid: Agent) => agent('lead', script, { tools: [asTool(kid)] });
  const run = start(lead([{ calls: [call('kid')] }], hanging('kid')));
  await vi.waitFor(() => expect(factTypes(run.events, `${run.sessionId}~1.1`)).toContain('model-start'));
  run.cancel();
  await inItsTime(run.clock, run.outcome);
  const kid = agent('kid', ['here']);
  expect((await continued(run.events, lead(['without it'], kid))).incomplete).toMatchObject([
    { path: 'lead:kid', status: 'cancelled' },
  ]);
  expect((await continued(run.events, lead([{ calls: [call('kid')] }, 'with it'], kid))).incomplete).toEqual([]);
});

test('a question of a child stays open when its caller fails, and the next round lists it', async () => {
  const asker = agent('asker', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }], { ask: 'caller' });
  const lead = (...script: readonly unknown[]) => agent('lead', script as never, { tools: [asTool(asker)] });
  const first = await walk(lead({ calls: [call('asker')] }, { fail: { code: 'model-auth' } }));
  const listed = [{ path: 'lead:asker', status: 'failed', failure: { code: 'question-left' } }];
  expect([first.outcome.status, first.outcome.incomplete]).toMatchObject(['failed', listed]);
  const next = await continued(first.events, lead('Without it.'));
  expect([next.status, next.incomplete]).toMatchObject(['completed', listed]);
});

test('a question that a failed caller left open is answered in the next round', async () => {
  const pauses = new MemoryPauses();
  const options = () => ({ ports: fakePorts({ clock: new FakeClock(), pauses }) });
  const lead = (kid: Agent, ...script: readonly unknown[]) => agent('lead', script as never, { tools: [asTool(kid)] });
  const asking = agent('asker', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }], { ask: 'caller' });
  const first = await walk(lead(asking, { calls: [call('asker')] }, { fail: { code: 'model-auth' } }), 'go', options());
  const asked = first.events.flatMap((event) =>
    event.type === 'session-end' && event.ending.status === 'needs_user_input' ? [event.ending.resume] : [],
  );
  const answering = agent('asker', ['So the first.'], { ask: 'caller' });
  const answer = { name: 'asker', input: { reason: 'answer', resume: asked[0], answer: 'The first.' } };
  const next = await continued(first.events, lead(answering, { calls: [answer] }, 'With it.'), options());
  expect(next).toMatchObject({ status: 'completed', text: 'With it.', incomplete: [] });
});

test('a question that a caller left open is listed after a pause of the root', async () => {
  const pauses = new MemoryPauses();
  const options = () => ({ ports: fakePorts({ clock: new FakeClock(), pauses }) });
  const kid = agent('kid', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }], { ask: 'caller' });
  const mid = agent('mid', [{ calls: [call('kid')] }, 'Without the kid.'], { tools: [asTool(kid)] });
  const lead = agent(
    'lead',
    [{ calls: [call('mid')] }, { calls: [{ name: 'ask_user', input: { question: 'Go on?' } }] }, 'done'],
    { ask: 'person', tools: [asTool(mid)] },
  );
  const listed = [{ path: 'lead:mid:kid', failure: { code: 'question-left' } }];
  const first = await walk(lead, 'go', options());
  expect(first.outcome).toMatchObject({ status: 'needs_user_input', incomplete: listed });
  const resume = 'resume' in first.outcome ? first.outcome.resume : '';
  const { outcome } = await walk(lead, 'yes', { ...options(), resume });
  expect(outcome).toMatchObject({ status: 'completed', incomplete: listed });
});

test.each([
  ['left open', [], [{ path: 'lead:kid', failure: { code: 'question-left' } }]],
  ['answered', [{ calls: [call('kid', { resume: 'run~1.1', answer: 'red' })] }], []],
])('a question to the root, open while it waits for a person, is %s', async (_, answers, listed) => {
  const pauses = new MemoryPauses();
  const options = () => ({ ports: fakePorts({ clock: new FakeClock(), pauses }) });
  const kid = agent('kid', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }, 'all of it'], {
    ask: 'caller',
  });
  const script = [
    { calls: [call('kid')] },
    { calls: [{ name: 'ask_user', input: { question: 'Go on?' } }] },
    ...answers,
    'done',
  ];
  const lead = agent('lead', script, { ask: 'person', tools: [asTool(kid)] });
  const first = await walk(lead, 'go', { ...options(), sessionId: 'run' });
  const resume = 'resume' in first.outcome ? first.outcome.resume : '';
  const { outcome } = await walk(lead, 'yes', { ...options(), resume });
  expect(outcome.status).toBe('completed');
  expect(outcome.incomplete).toMatchObject(listed);
  expect(outcome.incomplete).toHaveLength(listed.length);
});

test('two agents of one name are told apart by their paths', async () => {
  const kids = ['x', 'y'].map((folder) => ({ ...broken('kid'), id: folder, path: `${folder}/kid` }));
  const [first, second] = kids.map((kid, i) => asTool({ ...kid, ...(i === 1 ? { toolName: 'other' } : {}) }));
  const lead = agent('lead', [{ calls: [call('kid'), call('other')] }, 'done'], { tools: [first, second] as never });
  const { outcome } = await walk(lead);
  expect(outcome.incomplete.map(({ path }) => path)).toEqual(['lead:x/kid', 'lead:y/kid']);
  expect(Object.keys(outcome.ledger.byPath)).toEqual(expect.arrayContaining(['lead:x/kid', 'lead:y/kid']));
});
