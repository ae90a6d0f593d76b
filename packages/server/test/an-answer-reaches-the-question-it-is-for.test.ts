// The promise: who comes back with an answer in the newer revision brings what the question gave along; with anything else nothing goes on, and nothing of anybody else is told.

import { describe, expect, test } from 'vitest';
import { hashOf, Keys } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { secretOf } from './support/governed.ts';
import { type Called, type ToolHouse, toolHouse } from './support/person-at-client.ts';

const revision = '2026-07-28';

/** Asks twice, and says both. */
function curious(name = 'curious') {
  return agentOf(
    name,
    ({ messages }) => {
      const told = messages.flatMap((message) =>
        message.role === 'tool' ? message.content.map(({ text }) => text) : [],
      );
      if (told.length === 2) return told.join(' and ');
      return { calls: [{ name: 'ask_user', input: { question: `Question ${told.length + 1}?` } }] };
    },
    { ask: 'person' },
  );
}

interface Sent {
  readonly name?: string;
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
  readonly key?: string;
  readonly elicitation?: object | null;
}

interface Got {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result: {
    readonly resultType: string;
    readonly requestState: string;
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly inputRequests: { readonly answer: { readonly params: { readonly message: string } } };
    readonly _meta: { readonly 'ai-agent/outcome'?: Called['outcome'] };
  };
}

/** As any client could write it. */
async function send(house: ToolHouse, sent: Sent = {}): Promise<Got> {
  const { name = 'curious', key, elicitation = {}, requestState, inputResponses } = sent;
  const response = await house.fetch('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...(key === undefined ? {} : { authorization: `Bearer ${secretOf(key)}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: { text: 'Go.' },
        ...(requestState === undefined ? {} : { requestState }),
        ...(inputResponses === undefined ? {} : { inputResponses }),
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': elicitation ? { elicitation } : {},
        },
      },
    }),
  });
  const text = await response.text();
  const data = /^data: (\{.*"(?:result|error)".*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data) as Got;
}

const saying = (answer: string) => ({ answer: { action: 'accept', content: { answer } } });
const failureOf = ({ result }: Got) => result._meta['ai-agent/outcome']?.failure;

async function asked(house: ToolHouse, more: Sent = {}): Promise<string> {
  const { result } = await send(house, more);
  expect(result.resultType).toBe('input_required');
  return result.requestState;
}

test('round by round', async () => {
  const house = toolHouse(revision, [curious()]);
  const first = await asked(house);
  const { result } = await send(house, { requestState: first, inputResponses: saying('a') });
  expect(result.inputRequests.answer.params.message).toBe('curious asks: Question 2?');
  const last = await send(house, { requestState: result.requestState, inputResponses: saying('b') });
  expect(last.result.content[0]?.text).toBe('a and b');
});

test('an answer that comes twice is none to the next question', async () => {
  const house = toolHouse(revision, [curious()]);
  const first = await asked(house);
  const { result } = await send(house, { requestState: first, inputResponses: saying('a') });
  expect(failureOf(await send(house, { requestState: first, inputResponses: saying('a') }))?.code).toBe(
    'question-unknown',
  );
  const declined = await send(house, { requestState: first, inputResponses: { answer: { action: 'decline' } } });
  expect(failureOf(declined)?.code).toBe('question-unknown');
  const last = await send(house, { requestState: result.requestState, inputResponses: saying('b') });
  expect(last.result.content[0]?.text).toBe('a and b');
});

test('of two answers at once one counts', async () => {
  const house = toolHouse(revision, [curious()]);
  const requestState = await asked(house);
  const both = await Promise.all(
    ['a', 'A'].map((answer) => send(house, { requestState, inputResponses: saying(answer) })),
  );
  expect(both.map((got) => failureOf(got)?.code ?? got.result.resultType).sort()).toEqual([
    'input_required',
    'question-unknown',
  ]);
});

describe('nothing goes on', () => {
  test.each([
    ['another id', (state: string) => `x${state}`],
    ['one of nobody', () => 'a3f0c5de-0000-4000-8000-000000000000.0.1'],
  ])('with %s', async (_what, change) => {
    const house = toolHouse(revision, [curious()]);
    const requestState = change(await asked(house));
    const got = await send(house, { requestState, inputResponses: saying('a') });
    expect(got.result.isError).toBe(true);
    expect(failureOf(got)).toMatchObject({ class: 'usage', code: 'session-unknown' });
    expect(house.hall.running).toBe(0);
  });

  test.each([
    ['nonsense', () => 'nonsense'],
    ['another end', (state: string) => `${state}.1`],
    ['an empty one', () => ''],
    ['what is no text', () => 7],
  ])('with %s, which is none of ours', async (_what, change) => {
    const house = toolHouse(revision, [curious()]);
    const requestState = change(await asked(house));
    expect((await send(house, { requestState, inputResponses: saying('a') })).error?.code).toBe(-32_602);
    expect(house.hall.running).toBe(0);
  });

  test('with an answer to nothing: it begins, and asks', async () => {
    const house = toolHouse(revision, [curious()]);
    const { result } = await send(house, { inputResponses: saying('a') });
    expect(result.inputRequests.answer.params.message).toContain('Question 1?');
  });

  test('for another agent', async () => {
    const house = toolHouse(revision, [curious(), curious('other')]);
    const requestState = await asked(house);
    const got = await send(house, { name: 'other', requestState, inputResponses: saying('a') });
    expect(failureOf(got)?.code).toBe('session-unknown');
  });

  test('for another key, which is told what it would be told of no session at all', async () => {
    const settings = ['ann', 'bob'].map((name) => [name, { agents: ['*'], hash: hashOf(secretOf(name)) }]);
    const house = toolHouse(revision, [curious()], { keys: (clock) => new Keys(Object.fromEntries(settings), clock) });
    const requestState = await asked(house, { key: 'ann' });
    const foreign = await send(house, { key: 'bob', requestState, inputResponses: saying('a') });
    const unknown = await send(house, { key: 'bob', requestState: `x${requestState}`, inputResponses: saying('a') });
    expect(foreign).toEqual(unknown);
    const own = await send(house, { key: 'ann', requestState, inputResponses: saying('a') });
    expect(own.result.resultType).toBe('input_required');
  });
});

describe('the question stays open', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['another name', { other: { action: 'accept', content: { answer: 'a' } } }],
    ['an answer of another kind', { answer: { roots: [] } }],
    ['no object', { answer: 'a' }],
    ['what is nested in itself', { answer: { method: 'elicitation/create', result: { action: 'accept' } } }],
  ])('after %s, and is asked again', async (_what, inputResponses) => {
    const house = toolHouse(revision, [curious()]);
    const again = await send(house, { requestState: await asked(house), inputResponses });
    expect(again.result.inputRequests.answer.params.message).toMatch(/without an answer.*Question 1\?/s);
    const { result } = await send(house, { requestState: again.result.requestState, inputResponses: saying('a') });
    expect(result.inputRequests.answer.params.message).toBe('curious asks: Question 2?');
  });

  test('for who cannot ask any more, as the result', async () => {
    const house = toolHouse(revision, [curious()]);
    const requestState = await asked(house);
    const { result } = await send(house, { requestState, inputResponses: saying('a'), elicitation: null });
    expect(result._meta['ai-agent/outcome']).toMatchObject({
      status: 'needs_user_input',
      question: { text: 'Question 2?' },
    });
  });
});
