import type { Question } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { fakeServer, openSource } from './support/fake-server.ts';
import { realClock } from './support/mcp.ts';
import { asking, everything, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

const server = 'forms';

/** Answers in this order; an error is nobody's answer. */
function answering(...answers: readonly unknown[]) {
  const asked: Question[] = [];
  const onQuestion = (question: Question) => {
    const answer = answers[asked.push(question) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, onQuestion };
}

const fill = { name: 'forms__trigger-elicitation-request' };
const visit = (url: string) => ({ name: 'forms__trigger-url-elicitation', input: { url, message: 'Sign in.' } });
const wrong = { name: 3 };

test('a form is a question with its schema, a page to open is a choice, and each answer is told as what it is', async () => {
  const { asked, onQuestion } = answering(
    { name: 'Ada', number: 7 },
    new Error('not now'),
    ...[wrong, wrong, wrong],
    ...['done', 'decline'],
  );
  const calls = [
    fill,
    fill,
    fill,
    visit('https://example.com/x'),
    visit('https://example.com/y'),
    visit('file:///etc/x'),
  ];
  const { results } = await walkWith({ server, config: started(everything), script: calling(...calls), onQuestion });
  expect(asked[0]).toMatchObject({
    type: 'question',
    to: 'person',
    agentName: 'tester',
    text: 'The server forms asks: Please provide inputs for the following fields:',
    schema: { type: 'object', required: ['name'], properties: { integer: { default: 42 } } },
  });
  expect(asked[5]).toMatchObject({
    text: 'The server forms asks you to open a page: Sign in.\nhttps://example.com/x',
    choices: ['done', 'decline'],
  });
  // Nobody was asked to follow what is not a page.
  expect(asked).toHaveLength(7);
  const told = results.map(({ text }) => JSON.parse(/Raw result: (.*)$/s.exec(text)?.[1] ?? ''));
  expect(told.map(({ action }) => action)).toEqual(['accept', 'decline', 'cancel', 'accept', 'decline', 'decline']);
  // What is left out has its default.
  expect(told[0].content).toMatchObject({ name: 'Ada', number: 7, integer: 42, untitledSingleSelectEnum: 'Monica' });
});

test('a call that is refused until a page was visited is made again after the visit', async () => {
  const { asked, onQuestion } = answering('done', 'done', 'decline');
  const input = { url: 'https://example.com/x', message: 'Sign in.', errorPath: true };
  const visiting = { name: 'forms__trigger-url-elicitation', input };
  const other = { ...visiting, input: { ...input, url: 'https://example.com/y' } };
  const { results } = await walkWith({
    server,
    config: started(everything),
    script: calling(visiting, other),
    onQuestion,
  });
  expect(asked.map(({ text }) => text.split('\n').at(-1))).toEqual([
    'https://modelcontextprotocol.io',
    'https://example.com/x',
    'https://modelcontextprotocol.io',
  ]);
  expect(results[0]?.text).toContain('"action": "accept"');
  expect(results[1]).toMatchObject({ isError: true, text: expect.stringContaining('browser-based authorization') });
});

test.each([
  ['somebody is there', {}, true, true],
  ['nobody is there', {}, false, false],
  ['its configuration says no', { elicitation: false }, true, false],
  ['it is shared on purpose', { shared: true }, true, false],
])('whether a server is told that it may ask when %s', async (_, config, isAttended, isTold) => {
  const fake = fakeServer({ tools: [] });
  await openSource(fake, { command: 'x', ...config }, { isAttended }).list();
  expect(fake.leased[0]?.options.answers?.elicit !== undefined).toBe(isTold);
});

test('a server of 2026-07-28, which asks in its result, is answered the same way', async () => {
  const { asked, onQuestion } = answering({ city: 'Oslo' });
  const script = calling({ name: 'forms__ship' });
  const { results } = await walkWith({ server, config: started(asking, '--modern-only'), script, onQuestion });
  // What has a default may be left out of the answer, also when the server requires it.
  expect(asked[0]).toMatchObject({ text: 'The server forms asks: Where to?', schema: { required: ['city'] } });
  expect(results[0]).toMatchObject({ isError: false, text: 'shipped {"speed":"slow","copies":1,"city":"Oslo"}' });
});

test('the time that a person takes is not the server’s', async () => {
  const onQuestion = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return { name: 'Ada' };
  };
  const { results } = await walkWith({
    server,
    config: { ...started(everything), requestTimeoutMs: 1_000 },
    script: calling(fill),
    ports: fakePorts({ clock: realClock }),
    onQuestion,
  });
  expect(results[0]).toMatchObject({ isError: false, text: expect.stringContaining('Ada') });
});
