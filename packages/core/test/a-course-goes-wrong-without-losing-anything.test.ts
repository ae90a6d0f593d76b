// What goes wrong in a step is told as what it is: a failing advisor spares the run, a failing handoff keeps what there was.

import { type Agent, asPartner, asTool, defineTool } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, factTypes, nextTick, start, walk } from './support/walk.ts';

const broken = (name: string) => agent(name, [{ fail: { code: 'model-auth', message: 'The key is wrong.' } }]);

function requestsOf({ model }: { readonly model: unknown }) {
  return (model as { requests: readonly { messages: readonly unknown[] }[] }).requests;
}

describe('advisors', () => {
  test('one that fails contributes the failure, and the others their advice', async () => {
    const good = agent('good', ['Go north.']);
    const bad = broken('bad');
    const lead = agent('lead', ['We go.'], { advisors: [asPartner(bad), asPartner(good)] });
    const { outcome } = await walk(lead, 'Where?');
    expect(outcome).toMatchObject({ status: 'completed', text: 'We go.' });
    const prompt = JSON.stringify(requestsOf(lead)[0]?.messages);
    expect(prompt).toMatch(/advisory__[0-9a-f]{8} agent=\\"bad\\">\\nFailed \(auth\): .*The key is wrong/);
    expect(prompt).toContain('Go north.');
    expect(outcome.tree?.turns[0]?.operations.map(({ status }) => status)).toEqual(['failed', 'ok']);
  });

  test('run at once, under the bound of the session', async () => {
    let [running, most] = [0, 0];
    const slow = (name: string) => {
      const one = agent(name, [name]);
      const call: typeof one.model.call = async (request, context) => {
        running++;
        most = Math.max(most, running);
        for (let i = 0; i < 3; i++) await nextTick();
        running--;
        return one.model.call(request, context);
      };
      return asPartner({ ...one, model: { ...one.model, call } });
    };
    const advisors = ['a', 'b', 'c', 'd'].map(slow);
    await walk(agent('lead', ['ok'], { advisors, limits: { maxParallel: 3 } }));
    expect(most).toBe(3);
  });

  test('as many as the file names are heard, whatever a model may call in one turn', async () => {
    const advisors = ['a', 'b', 'c'].map((name) => asPartner(agent(name, [`${name} says`])));
    const lead = agent('lead', ['ok'], { advisors, limits: { maxToolCallsPerTurn: 2 } });
    await walk(lead);
    expect(JSON.stringify(requestsOf(lead)[0]?.messages)).toContain('c says');
  });

  test('an advisor that a budget refuses is a failure text, and the run goes on', async () => {
    const lead = agent('lead', ['ok'], {
      advisors: [asPartner(agent('a', ['A'])), asPartner(agent('b', ['B']))],
      budget: { descendants: 1 },
    });
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'completed', text: 'ok' });
    const prompt = JSON.stringify(requestsOf(lead)[0]?.messages);
    expect(prompt).toContain('>\\nA\\n<');
    expect(prompt).toMatch(/agent=\\"b\\">\\nFailed \(budget\)/);
  });
});

describe('a handoff', () => {
  test('that fails keeps the answer before it, and says whose failure it is', async () => {
    const draft = agent('draft', ['The draft.'], { handoff: [asPartner(broken('edit'))] });
    const { outcome } = await walk(draft);
    expect(outcome).toMatchObject({ status: 'failed', text: 'The draft.', failure: { class: 'auth' } });
    expect(outcome).toHaveProperty(
      'failure.message',
      expect.stringMatching(/^The handoff to edit failed: .*key is wrong/),
    );
  });

  test('is not reached by a partial answer', async () => {
    const edit = agent('edit', ['Edited.']);
    const loopy = agent('loopy', [{ calls: [{ name: 'agent__one', input: { text: 'x', reason: 'r' } }] }, 'So far.'], {
      tools: [asTool(agent('one', ['1']))],
      limits: { maxTurns: 2 },
      handoff: [asPartner(edit)],
    });
    const { outcome } = await walk(loopy);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'So far.' });
    expect(requestsOf(edit)).toEqual([]);
  });

  test('that is partial makes the whole partial, with its limit', async () => {
    const edit = agent(
      'edit',
      [{ calls: [{ name: 'agent__one', input: { text: 'x', reason: 'r' } }] }, 'Half edited.'],
      {
        tools: [asTool(agent('one', ['1']))],
        limits: { maxTurns: 2 },
      },
    );
    const draft = agent('draft', ['The draft.'], { handoff: [asPartner(edit), asPartner(agent('sign', ['Signed.']))] });
    const { outcome } = await walk(draft);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'Half edited.' });
  });

  test('that the budget does not allow is a limit, and the answer before it stands', async () => {
    const draft = agent('draft', ['The draft.'], {
      handoff: [asPartner(agent('edit', ['Edited.']))],
      budget: { descendants: 0 },
    });
    const { outcome } = await walk(draft);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'descendants', text: 'The draft.' });
  });

  test('longer than a tool may be is whole', async () => {
    const long = 'x'.repeat(50_000);
    const draft = agent('draft', ['The draft.'], { handoff: [asPartner(agent('edit', [long]))] });
    const { outcome } = await walk(draft);
    expect(outcome.text).toBe(long);
  });

  test('costs who is done no turn that was held back for its last word', async () => {
    const draft = agent('draft', ['The draft.'], {
      handoff: [asPartner(agent('edit', ['Edited.']))],
      budget: { turns: 3 },
    });
    expect((await walk(draft)).outcome).toMatchObject({ status: 'completed', text: 'Edited.' });
  });

  test('denied to its agent is refused like any call', async () => {
    const draft = agent('draft', ['The draft.'], {
      handoff: [asPartner(agent('edit', ['Edited.']))],
      permissions: { deny: ['agent__edit'] },
    });
    const { outcome } = await walk(draft);
    expect(outcome).toMatchObject({ status: 'failed', text: 'The draft.', failure: { code: 'permission-denied' } });
  });
});

describe('a router', () => {
  const desk = (destinations: readonly Agent[], script: Parameters<typeof agent>[1], more: Partial<Agent> = {}) =>
    agent('desk', script, {
      router: { destinations: destinations.map((one) => asPartner({ description: one.name, ...one })) },
      ...more,
    });
  const to = (name: string, message?: string) => ({
    calls: [{ name: 'router__handoff-to', input: { agent: name, ...(message ? { message } : {}) } }],
  });

  test('that names nobody it knows is told who there is, and may try again', async () => {
    const lead = desk([agent('bills', ['Paid.'])], [to('nobody'), to('bills')]);
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'completed', text: 'Paid.' });
    expect(JSON.stringify(requestsOf(lead)[1]?.messages)).toContain('bills');
  });

  test('may answer itself', async () => {
    const { outcome, events } = await walk(desk([agent('bills', ['Paid.'])], ['I know that.']));
    expect(outcome).toMatchObject({ status: 'completed', text: 'I know that.' });
    expect(events.filter(({ type }) => type === 'text-delta')).toEqual([]);
  });

  test('may hand over in its last turn, and is told so', async () => {
    const lead = desk(
      [agent('bills', ['Paid.'])],
      [{ calls: [{ name: 'agent__one', input: { text: 'x', reason: 'r' } }] }, to('bills')],
      {
        tools: [asTool(agent('one', ['1']))],
        limits: { maxTurns: 2 },
      },
    );
    const { outcome } = await walk(lead);
    expect(outcome).toMatchObject({ status: 'completed', text: 'Paid.' });
    const last = requestsOf(lead)[1] as unknown as { tools: readonly { name: string }[]; messages: unknown };
    expect(last.tools.map(({ name }) => name)).toEqual(['router__handoff-to']);
    expect(JSON.stringify(last.messages)).toContain('You may still hand the request over');
  });

  test('with a handoff: the answer of the destination goes on', async () => {
    const tone = agent('tone', ['Kindly paid.']);
    const { outcome } = await walk(desk([agent('bills', ['Paid.'])], [to('bills')], { handoff: [asPartner(tone)] }));
    expect(outcome.text).toBe('Kindly paid.');
    expect(JSON.stringify(requestsOf(tone)[0]?.messages)).toContain('agent=\\"bills\\">\\nPaid.\\n<');
  });

  test('cannot call its destinations, nor anybody its partners, past the house', async () => {
    const lead = desk(
      [agent('bills', ['Paid.'])],
      [{ calls: [{ name: 'router__bills', input: { prompt: 'x' } }] }, 'No.'],
    );
    const { outcome } = await walk(lead);
    expect(outcome.text).toBe('No.');
    expect(JSON.stringify(requestsOf(lead)[1]?.messages)).toContain('There is no tool');
  });
});

test('cancelled in a step, the whole tree is cancelled at once', async () => {
  let heard: AbortSignal | undefined;
  const stuck = agent('stuck', ['never']);
  const call: typeof stuck.model.call = (_request, { signal }) => {
    heard = signal;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const draft = agent('draft', ['The draft.'], { handoff: [asPartner({ ...stuck, model: { ...stuck.model, call } })] });
  const run = start(draft);
  while (!heard) await new Promise((resolve) => setImmediate(resolve));
  run.cancel();
  const outcome = await run.outcome;
  expect(outcome).toMatchObject({ status: 'cancelled', text: 'The draft.' });
  expect(heard.aborted).toBe(true);
  expect(factTypes(run.events).at(-1)).toBe('session-end');
});

/** An agent whose first request is answered only by its end. */
function stuck(name: string, lastWord: string, more: Partial<Agent> = {}) {
  const one = agent(name, [lastWord], more);
  const seen = { requests: 0 };
  const call: typeof one.model.call = (request, context) => {
    seen.requests++;
    if (seen.requests > 1) return one.model.call(request, context);
    return new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason)));
  };
  return { seen, partner: asPartner({ ...one, model: { ...one.model, call } }) };
}

describe('stopped in a step', () => {
  const stopped = async (root: Agent, isUnderWay: () => boolean) => {
    const run = start(root);
    while (!isUnderWay()) await nextTick();
    run.stop();
    return run.outcome;
  };

  test('whoever answers has the last word, and what there is is kept', async () => {
    const edit = stuck('edit', 'As far as I came.');
    const sign = agent('sign', ['Signed.']);
    const draft = agent('draft', ['The draft.'], { handoff: [edit.partner, asPartner(sign)] });
    const outcome = await stopped(draft, () => edit.seen.requests === 1);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'As far as I came.' });
    expect(edit.seen.requests).toBe(2);
    expect(requestsOf(sign)).toEqual([]);
  });

  test('so it is however deep, and advice that was heard is not lost', async () => {
    const slow = stuck('slow', 'never said');
    const bills = agent('bills', ['From what we heard.'], {
      description: 'Bills',
      advisors: [asPartner(agent('law', ['Lawful.'])), slow.partner],
    });
    const desk = agent('desk', [{ calls: [{ name: 'router__handoff-to', input: { agent: 'bills' } }] }], {
      router: { destinations: [asPartner(bills)] },
    });
    const outcome = await stopped(desk, () => slow.seen.requests === 1);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'From what we heard.' });
    expect(JSON.stringify(requestsOf(bills)[0]?.messages)).toContain('Lawful.');
  });

  test.each(['handoff', 'router'] as const)('by a %s whose agent is in a tool, that agent sums up', async (kind) => {
    let isUnderWay = false;
    const slow = defineTool({
      name: 'slow',
      description: 'd',
      inputSchema: { type: 'object' },
      execute: (_args, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          isUnderWay = true;
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const script = [{ calls: [{ name: 'slow', input: {} }] }, 'Summed up.'];
    const partner = asPartner(agent('edit', script, { tools: [slow] }));
    const handOver = { calls: [{ name: 'router__handoff-to', input: { agent: 'edit' } }] };
    const lead =
      kind === 'handoff'
        ? agent('lead', ['Draft.'], { handoff: [partner] })
        : agent('lead', [handOver], { router: { destinations: [partner] } });
    const outcome = await stopped(lead, () => isUnderWay);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'Summed up.' });
  });
});
