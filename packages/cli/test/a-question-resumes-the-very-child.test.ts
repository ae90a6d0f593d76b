// T10: a child that asks ends with a handle; whoever answers by it goes on with that very child, history and all.

import { ask, asTool, defineTool, type Outcome } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { anyArguments, call, handleIn, promptIn, resultsIn } from './support/calls.ts';
import { type Door, throughEveryDoor } from './support/doors.ts';

function asking(outcome: Outcome) {
  if (outcome.status !== 'needs_user_input') throw new TypeError(`It does not ask: ${JSON.stringify(outcome)}`);
  return outcome;
}

throughEveryDoor('a question resumes the very child', (door: Door) => {
  const { runtime } = door;

  /** Looks something up, asks for a year, and reports what it has seen of its own history. */
  const reporter = async () => {
    let looked = 0;
    const look = defineTool({ name: 'look', inputSchema: anyArguments, execute: () => `looked ${++looked}` });
    const agent = await door.agent(
      'reporter',
      (request) => {
        const [result] = resultsIn(request);
        if (result === undefined) return { calls: [{ name: 'look' }] };
        if (result.startsWith('looked'))
          return { text: 'I need a year.', calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
        return `${promptIn(request)} of ${result}, ${request.messages.length} messages`;
      },
      { ask: 'caller', tools: [look] },
    );
    return { agent, looks: () => looked };
  };

  test('the model that called it answers from what it knows', async () => {
    const { agent, looks } = await reporter();
    const lead = await door.agent(
      'lead',
      (request, number) => {
        if (number === 1) return { calls: [call('reporter', { text: 'sales' })] };
        if (number === 2) return { calls: [call('reporter', { resume: handleIn(request), answer: '2024' })] };
        return `lead: ${resultsIn(request)[0]}`;
      },
      { tools: [asTool(agent)] },
    );
    const outcome = await ask(lead, 'go', { runtime });
    expect(outcome).toMatchObject({ status: 'completed', text: 'lead: sales of 2024, 5 messages' });
    expect(looks()).toBe(1);
    const [first, second] = Object.keys(outcome.conversations).filter((id) => id !== outcome.sessionId);
    // What the records tell of the child that went on is what its model saw.
    const told = outcome.conversations[second ?? '']?.map(({ role }) => role);
    expect(told).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
    expect(outcome.conversations[first ?? '']?.map(({ role }) => role)).toEqual(told?.slice(0, 5));
  });

  test('a model that does not know asks in turn; days later another session goes on and answers the child', async () => {
    const { agent, looks } = await reporter();
    const lead = await door.agent(
      'lead',
      (request) => {
        const [result] = resultsIn(request);
        if (result === undefined) return { calls: [call('reporter', { text: 'sales' })] };
        if (result.startsWith('It asks'))
          return { calls: [{ name: 'ask_user', input: { question: `Tell me: ${handleIn(request)}` } }] };
        if (result.startsWith('sales')) return `lead: ${result}`;
        const handle = /Tell me: ([^"\\]+)/.exec(JSON.stringify(request.messages))?.[1];
        return { calls: [call('reporter', { resume: handle, answer: result })] };
      },
      { tools: [asTool(agent)], ask: 'caller' },
    );
    const first = asking(await ask(lead, 'go', { runtime }));
    expect(first.question).toMatchObject({ type: 'question', agentName: 'lead', to: 'person' });
    expect(first.resume).toBe(first.question.handle);
    const second = await ask(lead, '2025', { runtime, resume: first.resume });
    expect(second).toMatchObject({ status: 'completed', text: 'lead: sales of 2025, 5 messages' });
    expect(looks()).toBe(1);
  });

  test('a resumed session may ask again, and each handle is good for one answer', async () => {
    const agent = await door.agent(
      'curious',
      (request) => {
        const answers = request.messages.flatMap((m) => (m.role === 'tool' ? m.content.map(({ text }) => text) : []));
        return answers.length < 3
          ? { calls: [{ name: 'ask_user', input: { question: `Question ${answers.length + 1}` } }] }
          : answers.join(' ');
      },
      { ask: 'caller' },
    );
    let outcome = asking(await ask(agent, 'go', { runtime }));
    const handles = [outcome.resume];
    for (const answer of ['a', 'b']) {
      outcome = asking(await ask(agent, answer, { runtime, resume: outcome.resume }));
      handles.push(outcome.resume);
    }
    expect(outcome.question.text).toBe('Question 3');
    expect(await ask(agent, 'c', { runtime, resume: outcome.resume })).toMatchObject({
      status: 'completed',
      text: 'a b c',
    });
    for (const resume of handles)
      expect(await ask(agent, 'again', { runtime, resume })).toMatchObject({
        status: 'failed',
        failure: { code: 'question-unknown', class: 'usage' },
      });
  });

  test('several questions of one turn are asked one after the other, and no answer is lost', async () => {
    const agent = await door.agent(
      'curious',
      (request) =>
        resultsIn(request).length > 0
          ? resultsIn(request).join(' ')
          : { calls: ['one', 'two', 'three'].map((question) => ({ name: 'ask_user', input: { question } })) },
      { ask: 'caller' },
    );
    const first = asking(await ask(agent, 'go', { runtime }));
    expect(first.question.text).toBe('one');
    const second = asking(await ask(agent, '1', { runtime, resume: first.resume }));
    expect(second.question.text).toBe('two');
    const third = asking(await ask(agent, '2', { runtime, resume: second.resume }));
    expect(third.question.text).toBe('three');
    expect(await ask(agent, '3', { runtime, resume: third.resume })).toMatchObject({
      status: 'completed',
      text: '1 2 3',
    });
  });

  test('another agent, or one that nobody asked, is not gone on with', async () => {
    const { agent } = await reporter();
    const other = await door.agent('other', () => 'not me', { ask: 'caller' });
    const first = asking(await ask(agent, 'sales', { runtime }));
    const wrong = { status: 'failed', failure: { code: 'question-unknown' } };
    expect(await ask(other, '2024', { runtime, resume: first.resume })).toMatchObject(wrong);
    expect(await ask(agent, '2024', { runtime, resume: 'nothing' })).toMatchObject(wrong);
    // Nobody has answered it yet.
    expect(await ask(agent, '2024', { runtime, resume: first.resume })).toMatchObject({ status: 'completed' });
  });

  test('two answers at the same moment are one answer and one that comes too late', async () => {
    const { agent } = await reporter();
    const { resume } = asking(await ask(agent, 'sales', { runtime }));
    const both = await Promise.all(['2024', '2025'].map((year) => ask(agent, year, { runtime, resume })));
    expect(both.map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
  });

  test('a report that is JSON is held to its contract after the answer too', async () => {
    const schema = { type: 'object', properties: { year: { type: 'number' } }, required: ['year'] };
    const agent = await door.agent(
      'typed',
      (request) => {
        const answer = resultsIn(request)[0];
        if (request.messages.length === 1) return { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
        return answer === undefined ? '{"year":2024}' : `{"year":"${answer}"}`;
      },
      { ask: 'caller', output: { format: 'json', schema } },
    );
    const { resume } = asking(await ask(agent, 'go', { runtime }));
    expect(await ask(agent, '2024', { runtime, resume })).toMatchObject({
      status: 'completed',
      report: { year: 2024 },
    });
  });

  test('what was used before the question still counts after it', async () => {
    const usage = { inputTokens: 4_000, outputTokens: 1_000 };
    const agent = await door.agent(
      'spender',
      (request) =>
        resultsIn(request).length === 0
          ? { usage, text: 'Half.', calls: [{ name: 'ask_user', input: { question: 'On?' } }] }
          : { usage, text: 'never' },
      { ask: 'caller', budget: { tokens: 5_010 }, settings: { maxOutputTokens: 200 } },
    );
    const { resume } = asking(await ask(agent, 'go', { runtime }));
    const outcome = await ask(agent, 'yes', { runtime, resume });
    // It has said something before: that is not a failure.
    expect(outcome).toMatchObject({ status: 'partial', limit: 'tokens', text: 'Half.' });
    expect(outcome.usage.inputTokens).toBe(0);
  });
});
