// T10: an agent with `ask: person` waits for the person who started the run; the models above it never hear of it.

import { AIAgentSession, ask, asTool, defineTool, type Fact, type Json, type Question } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { anyArguments, call, resultsIn } from './support/calls.ts';
import { throughEveryDoor } from './support/doors.ts';

throughEveryDoor('a person is asked where the run was started', (door) => {
  const { runtime } = door;

  const plant = async (input: object = { question: 'Which year?' }) => {
    const child = await door.agent(
      'child',
      (request) => resultsIn(request)[0] ?? { calls: [{ name: 'ask_user', input }] },
      { ask: 'person' },
    );
    const requests: unknown[] = [];
    const lead = await door.agent(
      'lead',
      (request) => {
        requests.push(request);
        return resultsIn(request)[0] ?? { calls: [call('child', { text: 'go' })] };
      },
      { tools: [asTool(child)] },
    );
    return { child, lead, requests };
  };

  test('attended: the child waits, and goes on with what the person says', async () => {
    const { lead, requests } = await plant();
    const facts: Fact[] = [];
    const questions: Question[] = [];
    const onQuestion = async (question: Question) => {
      questions.push(question);
      return '2024';
    };
    const outcome = await ask(lead, 'go', { runtime, onQuestion, onFact: (fact) => facts.push(fact) });
    expect(outcome).toMatchObject({ status: 'completed', text: '2024' });
    expect(requests).toHaveLength(2);
    expect(questions).toMatchObject([{ type: 'question', to: 'person', agentName: 'child', text: 'Which year?' }]);
    const told = facts.filter(({ type }) => type.startsWith('question'));
    expect(told.map(({ type, op }) => [type, op])).toEqual([
      ['question-start', 'turn.1.message.1'],
      ['question-end', 'turn.1.message.1'],
    ]);
    expect(told).toMatchObject([{ question: questions[0], index: 1 }, { answer: '2024' }]);
    expect(told.map(({ trace }) => trace.agentName)).toEqual(['child', 'child']);
  });

  test('attended: an answer by the handle is as good, and whoever answers later changes nothing', async () => {
    const { lead } = await plant();
    const shown: Question[] = [];
    const { promise: late, resolve: answerLate } = Promise.withResolvers<Json>();
    const { promise: asked, resolve } = Promise.withResolvers<Question>();
    const onQuestion = (question: Question) => {
      shown.push(question);
      resolve(question);
      return late;
    };
    const run = new AIAgentSession({ agent: lead, runtime, onQuestion }).run('go');
    run.answer((await asked).handle, 'early');
    answerLate('late');
    expect(await run.outcome).toMatchObject({ status: 'completed', text: 'early' });
    expect(shown).toHaveLength(1);
  });

  test('unattended: the whole tree waits, and the model above is not involved', async () => {
    const { lead, requests } = await plant();
    const first = await ask(lead, 'go', { runtime });
    expect(first).toMatchObject({ status: 'needs_user_input', question: { agentName: 'child', text: 'Which year?' } });
    expect(requests).toHaveLength(1);
    const resume = first.status === 'needs_user_input' ? first.resume : '';
    expect(resume).toBe(first.sessionId);
    expect(await ask(lead, '2025', { runtime, resume })).toMatchObject({ status: 'completed', text: '2025' });
    expect(requests).toHaveLength(2);
  });

  test('at the root, who asks its caller asks the person too', async () => {
    const agent = await door.agent(
      'root',
      (request) => resultsIn(request)[0] ?? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] },
      { ask: 'caller' },
    );
    expect(await ask(agent, 'go', { runtime, onQuestion: () => 'this' })).toMatchObject({ text: 'this' });
  });

  test('an answer must fit: the question stays open until one does', async () => {
    const { lead } = await plant({ question: 'Which?', choices: ['red', 'blue'] });
    const answers = ['green', 'blue'];
    const outcome = await ask(lead, 'go', { runtime, onQuestion: () => answers.shift() });
    expect(outcome).toMatchObject({ status: 'completed', text: 'blue' });

    const first = await ask(lead, 'go', { runtime });
    const resume = first.status === 'needs_user_input' ? first.resume : '';
    expect(await ask(lead, 'green', { runtime, resume })).toMatchObject({
      status: 'failed',
      failure: { code: 'answer-invalid', message: expect.stringContaining('red, blue') },
    });
    expect(await ask(lead, 'red', { runtime, resume })).toMatchObject({ status: 'completed', text: 'red' });
  });

  test('an answer with a form may be data, or the text of it', async () => {
    const schema = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] };
    const { lead } = await plant({ question: 'Which?', schema });
    for (const answer of [{ year: 2024 }, '{"year":2024}'])
      expect(await ask(lead, 'go', { runtime, onQuestion: () => answer })).toMatchObject({ text: '{"year":2024}' });
    const outcome = await ask(lead, 'go', { runtime, onQuestion: () => ({ year: 'soon' }) });
    expect(outcome.text).toMatch(/"year" must be integer/);
    const words = await plant({ question: 'Which?', schema: { type: 'string' } });
    expect(await ask(words.lead, 'go', { runtime, onQuestion: () => '2024' })).toMatchObject({ text: '2024' });
  });

  test('a form that is none comes back to the model that asked', async () => {
    const { child } = await plant({ question: 'Which?', schema: { type: 'nonsense' } });
    const outcome = await ask(child, 'go', { runtime, onQuestion: () => 'anything' });
    expect(outcome.text).toMatch(/^Failed \(tool\): The form of the answer is not a valid JSON Schema/);
  });

  test('when nobody could be asked, the model is told so', async () => {
    const { child } = await plant();
    const onQuestion = () => Promise.reject(new TypeError('the chat is down'));
    const { text } = await ask(child, 'go', { runtime, onQuestion });
    expect(text).toMatch(/^Failed \(tool\): Nobody could be asked: the chat is down[\s\S]*What to do: /);
  });

  test('stopped while it waits, the run ends with what it has', async () => {
    const { child } = await plant();
    const look = defineTool({ name: 'look', inputSchema: anyArguments, execute: () => 'seen' });
    const lead = await door.agent(
      'lead',
      (request) =>
        request.tools.length === 0 ? 'what I have' : { calls: [call('child', { text: 'go' }), { name: 'look' }] },
      { tools: [asTool(child), look] },
    );
    const { promise: asked, resolve } = Promise.withResolvers<Question>();
    const run = new AIAgentSession({ agent: lead, runtime, onQuestion: resolve }).run('go');
    const { handle } = await asked;
    run.stop();
    expect(await run.outcome).toMatchObject({ status: 'partial', limit: 'stop', text: 'what I have' });
    expect(() => run.answer(handle, '2024')).toThrow(/No question/);
  });

  test('cancelled while it waits, everything ends', async () => {
    const { lead } = await plant();
    const { promise: asked, resolve } = Promise.withResolvers<Question>();
    const run = new AIAgentSession({ agent: lead, runtime, onQuestion: resolve }).run('go');
    const { handle } = await asked;
    run.cancel();
    const outcome = await run.outcome;
    expect(outcome.status).toBe('cancelled');
    expect(outcome.tree?.status).toBe('cancelled');
    expect(() => run.answer(handle, '2024')).toThrow(/No question/);
  });

  test('an agent that takes a résumé is not mistaken for one that is resumed', async () => {
    const schema = { type: 'object', properties: { resume: { type: 'string' } }, required: ['resume'] };
    const reader = await door.agent('reader', (request) => `read ${JSON.stringify(request.messages[0])}`, {
      input: { format: 'json', schema },
    });
    const lead = await door.agent(
      'lead',
      (request) => resultsIn(request)[0] ?? { calls: [call('reader', { input: { resume: 'ten years at sea' } })] },
      { tools: [asTool(reader)] },
    );
    expect((await ask(lead, 'go', { runtime })).text).toContain('ten years at sea');
  });
});
