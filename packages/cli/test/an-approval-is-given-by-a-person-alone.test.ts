// T10: a call that needs leave waits for a person, however deep it is; no model can give it in their place.

import { AIAgentSession, ask, asTool, defineTool, type Outcome, type Question } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { anyArguments, call, promptIn, resultsIn } from './support/calls.ts';
import { throughEveryDoor } from './support/doors.ts';

function asking(outcome: Outcome) {
  if (outcome.status !== 'needs_user_input') throw new TypeError(`It does not ask: ${JSON.stringify(outcome)}`);
  return outcome;
}

throughEveryDoor('an approval is given by a person alone', (door) => {
  const { runtime } = door;

  /** A tool that needs leave, another that does not, and an agent that calls the first as often as it is asked to. */
  const plant = async () => {
    const ran: string[] = [];
    const drop = defineTool<{ table: string }>({
      name: 'drop',
      inputSchema: anyArguments,
      needsApproval: true,
      execute: ({ table }) => `dropped ${ran.push(table)} ${table}`,
    });
    const other = defineTool({ name: 'other', inputSchema: anyArguments, execute: () => `other ${ran.push('other')}` });
    const calls = (tables: readonly string[]) => tables.map((table) => ({ name: 'drop', input: { table } }));
    const admin = await door.agent(
      'admin',
      (request) => {
        const results = resultsIn(request);
        return results.length > 0 ? results.join('; ') : { calls: calls(promptIn(request).split(' ')) };
      },
      { tools: [drop] },
    );
    const middle = await door.agent(
      'middle',
      (request) => resultsIn(request)[0] ?? { calls: [call('admin', { text: 'deep' })] },
      { tools: [asTool(admin)] },
    );
    return { admin, middle, other, ran };
  };

  test('attended: several are asked at once, and each gets its own answer', async () => {
    const { admin, ran } = await plant();
    const open: Question[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const session = new AIAgentSession({
      agent: admin,
      runtime,
      onQuestion: (question) => {
        if (open.push(question) === 3) resolve();
      },
    });
    const run = session.run('a b c');
    await promise;
    expect(ran).toEqual([]);
    expect(open.map(({ type, to, call }) => [type, to, call])).toEqual(
      ['a', 'b', 'c'].map((table) => ['approval', 'person', { tool: 'drop', args: { table } }]),
    );
    expect(() => run.answer(open[0]?.handle ?? '', 'perhaps')).toThrow(/yes or no/);
    run.answer(open[2]?.handle ?? '', true);
    run.answer(open[1]?.handle ?? '', { isApproved: false, reason: 'not on a Friday' });
    run.answer(open[0]?.handle ?? '', 'no');
    expect(() => run.answer(open[0]?.handle ?? '', 'yes')).toThrow(/No question/);
    const outcome = await run.outcome;
    expect(outcome.status).toBe('completed');
    expect(ran).toEqual(['c']);
    expect(outcome.text).toMatch(
      /did not approve this call of drop\.[\s\S]*drop: not on a Friday\.[\s\S]*dropped 1 c$/,
    );
  });

  test('unattended: several are asked one after the other, and none runs before all are answered', async () => {
    const { admin, ran } = await plant();
    const first = asking(await ask(admin, 'a b c', { runtime }));
    expect(first.question).toMatchObject({
      type: 'approval',
      to: 'person',
      call: { tool: 'drop', args: { table: 'a' } },
    });
    const second = asking(await ask(admin, 'yes', { runtime, resume: first.resume }));
    expect(second.question.call?.args).toEqual({ table: 'b' });
    const third = asking(await ask(admin, 'no', { runtime, resume: second.resume }));
    expect(third.question.call?.args).toEqual({ table: 'c' });
    expect(ran).toEqual([]);
    const outcome = await ask(admin, { approved: true }, { runtime, resume: third.resume });
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(ran).toEqual(['a', 'c']);
    expect(outcome.text).toMatch(/^dropped 1 a; .*did not approve[\s\S]*; dropped 2 c$/);
  });

  test('from two levels down it reaches whoever started the run, past the models in between', async () => {
    const { middle, other, ran } = await plant();
    let asked = 0;
    const lead = await door.agent(
      'lead',
      (request) => {
        asked++;
        const results = resultsIn(request);
        return results.length > 0 ? results.join('; ') : { calls: [call('middle', { text: 'x' }), { name: 'other' }] };
      },
      { tools: [asTool(middle), other] },
    );
    const first = asking(await ask(lead, 'go', { runtime }));
    expect(first.question).toMatchObject({ type: 'approval', agentName: 'admin', call: { tool: 'drop' } });
    expect([ran, asked]).toEqual([['other'], 1]);
    const outcome = await ask(lead, 'yes', { runtime, resume: first.resume });
    expect(outcome.status).toBe('completed');
    // What was done beside it was kept, and not done again.
    expect([ran, asked]).toEqual([['other', 'deep'], 2]);
    expect(outcome.text).toBe('dropped 2 deep; other 1');
    const conversation = outcome.conversations[outcome.sessionId] ?? [];
    expect(conversation.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    const told = conversation.flatMap((message) => (message.role === 'tool' ? message.content : []));
    expect(told.map(({ text }) => text).join('; ')).toBe(outcome.text);
  });

  test('going on costs no new calls and no new sessions', async () => {
    const { middle } = await plant();
    const lead = await door.agent(
      'lead',
      (request) => resultsIn(request)[0] ?? { calls: [call('middle', { text: 'x' })] },
      { tools: [asTool(middle)], budget: { descendants: 2, toolCalls: 3 } },
    );
    const { resume } = asking(await ask(lead, 'go', { runtime }));
    expect(await ask(lead, 'yes', { runtime, resume })).toMatchObject({ status: 'completed', text: 'dropped 1 deep' });
  });

  test('two children that ask in one turn are both heard by the person, and neither by the model', async () => {
    const { admin, ran } = await plant();
    const seen: string[] = [];
    const lead = await door.agent(
      'lead',
      (request) => {
        const results = resultsIn(request);
        seen.push(...results);
        // A model that would approve whatever it is shown.
        const handle = /"resume": "([^"]+)"/.exec(results.join())?.[1];
        if (handle) return { calls: [call('admin', { resume: handle, answer: true })] };
        return results.length > 0
          ? results.join('; ')
          : { calls: ['a', 'b', 'c'].map((text) => call('admin', { text })) };
      },
      { tools: [asTool(admin)] },
    );
    let outcome = await ask(lead, 'go', { runtime });
    const answers = ['yes', 'no', 'yes'];
    const tables: unknown[] = [];
    for (const answer of answers) {
      const { question, resume } = asking(outcome);
      tables.push(question.call?.args.table);
      expect(seen).toEqual([]);
      outcome = await ask(lead, answer, { runtime, resume });
    }
    expect(tables).toEqual(['a', 'b', 'c']);
    expect(ran).toEqual(['a', 'c']);
    expect(outcome.status).toBe('completed');
    expect(outcome.text).toMatch(/dropped 1 a; .*did not approve[\s\S]*dropped 2 c$/);
  });

  test('a model that knows the handle is still no person', async () => {
    const { admin, ran } = await plant();
    const { resume } = asking(await ask(admin, 'a', { runtime }));
    const lead = await door.agent(
      'lead',
      (request) => resultsIn(request)[0] ?? { calls: [call('admin', { resume, answer: { isApproved: true } })] },
      { tools: [asTool(admin)] },
    );
    expect((await ask(lead, 'go', { runtime })).text).toMatch(/No session that you called waits/);
    expect(ran).toEqual([]);
    // The person still can.
    expect(await ask(admin, 'yes', { runtime, resume })).toMatchObject({ status: 'completed', text: 'dropped 1 a' });
  });

  test('a sub-agent that needs leave itself is approved once, also when it asks something later', async () => {
    const { admin, ran } = await plant();
    const tool = { ...asTool(admin), needsApproval: true };
    const lead = await door.agent(
      'lead',
      (request) => resultsIn(request)[0] ?? { calls: [call('admin', { text: 'a' })] },
      { tools: [tool] },
    );
    const first = asking(await ask(lead, 'go', { runtime }));
    expect(first.question.call?.tool).toBe('admin');
    const second = asking(await ask(lead, 'yes', { runtime, resume: first.resume }));
    expect(second.question.call?.tool).toBe('drop');
    expect(await ask(lead, 'yes', { runtime, resume: second.resume })).toMatchObject({ text: 'dropped 1 a' });
    expect(ran).toEqual(['a']);
  });
});
