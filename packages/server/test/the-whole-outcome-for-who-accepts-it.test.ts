// The promise: who accepts the whole outcome gets it, whatever became of the run; the headers name it in every reply.

import { expect, test } from 'vitest';
import { documentType } from '../src/headends/rest/wants.ts';
import { agentOf, call, leadOf, lookUp } from './contract/people.ts';
import { refusalOf, restApp } from './support/rest-app.ts';

const headersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ai-agent') || name === 'cache-control'));

const whole = { accept: documentType };

test('an answer: text, report, usage, ledger, trace and tree in one document', async () => {
  const lead = leadOf('lead', agentOf('child', ['from below']));
  const response = await restApp([lead]).get('/v1/lead?q=a', whole);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, documentType]);
  const document = (await response.json()) as Record<string, unknown>;
  expect(document).toMatchObject({ status: 'completed', format: 'text', trace: { callPath: 'lead' } });
  expect(document.report).toBe(document.text);
  expect(document.sessionId).toBe(response.headers.get('x-ai-agent-session'));
  expect(Object.keys(document)).toEqual(expect.arrayContaining(['usage', 'ledger', 'tree', 'startedAt', 'endedAt']));
});

test('the headers of an answer, of a limit and of a failure', async () => {
  const answers = agentOf('answers', ['Yes.']);
  const limited = agentOf('limited', (_r, turn) => (turn < 2 ? call('look_up', {}) : 'So far.'), {
    tools: [lookUp],
    limits: { maxTurns: 2 },
  });
  const fails = agentOf('fails', [{ fail: { code: 'model-auth' } }], { limits: { maxRetries: 1 } });
  const { get } = restApp([answers, limited, fails]);
  const told = (id: string, path: string, status: string) => ({
    'cache-control': 'no-store',
    'x-ai-agent-session': id,
    'x-ai-agent-origin-id': id,
    'x-ai-agent-call-path': path,
    'x-ai-agent-status': status,
  });
  expect(headersOf(await get('/v1/answers?q=a'))).toEqual(told('s1', 'answers', 'completed'));
  const partial = await get('/v1/limited?q=a');
  expect(headersOf(partial)).toEqual({ ...told('s2', 'limited', 'partial'), 'x-ai-agent-limit': 'maxTurns' });
  expect([partial.status, await partial.text()]).toEqual([200, 'So far.']);
  const failed = await get('/v1/fails?q=a');
  expect(headersOf(failed)).toEqual(told('s3', 'fails', 'failed'));
  expect(((await failed.json()) as { error: object }).error).toMatchObject({ code: 'model-auth', sessionId: 's3' });
});

test('agents above stand in the call path', async () => {
  const headers = { 'x-ai-agent-depth': '1', 'x-ai-agent-ancestry': 'the.boss:the_second' };
  const response = await restApp([agentOf('below', ['Yes.'])]).get('/v1/below?q=a', headers);
  expect(response.headers.get('x-ai-agent-call-path')).toBe('the.boss:the_second:below');
});

test('a failure has the status of the failure, and the document says which', async () => {
  const fail = { code: 'model-rate-limit', retryAfterMs: 2_500 } as const;
  const busy = agentOf('busy', [{ fail }], { limits: { maxRetries: 1 } });
  const response = await restApp([busy]).get('/v1/busy?q=a', whole);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '3']);
  expect(await response.json()).toMatchObject({ status: 'failed', failure: { class: 'rate_limit' }, tree: {} });
});

test('what is wrong before a run began is an error like any other', async () => {
  expect((await refusalOf(await restApp([]).get('/v1/nobody?q=a', whole))).slice(0, 2)).toEqual([404, 'agent-unknown']);
});

test('what nobody foresaw is told to nobody, in no part of the document', async () => {
  const tool = {
    ...lookUp,
    execute: () => {
      throw new TypeError('at /srv/house/tool.ts');
    },
  };
  const decide = {
    answer: () => {
      throw new TypeError('the secret of /srv/house');
    },
  };
  const broken = agentOf('broken', ['Yes.'], { middleware: [{ name: 'broken', decide }], tools: [tool] });
  const response = await restApp([broken]).get('/v1/broken?q=a', whole);
  const body = await response.text();
  expect(response.status).toBe(500);
  expect(JSON.parse(body)).toMatchObject({ status: 'failed', failure: { class: 'bug', code: 'internal' } });
  expect(body).not.toContain('/srv/house');
});

test('a question: in words as the body, whole in the document, and where to answer it', async () => {
  const ask = { name: 'ask_user', input: { question: 'Which year?', choices: ['1999', '2024'] } };
  const { get } = restApp([agentOf('curious', () => ({ calls: [ask] }), { ask: 'person' })]);
  const bare = await get('/v1/curious?q=a');
  expect([bare.status, bare.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(bare.headers.get('x-ai-agent-status')).toBe('needs_user_input');
  expect(bare.headers.get('location')).toBe(`/v1/sessions/${bare.headers.get('x-ai-agent-session')}`);
  expect(await bare.text()).toBe('Which year?\n\n- 1999\n- 2024');
  const schema = encodeURIComponent('{"type":"object"}');
  for (const response of [
    await get('/v1/curious?q=a', whole),
    await get(`/v1/curious?q=a&format=json&schema=${schema}`),
  ]) {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, documentType]);
    expect(await response.json()).toMatchObject({
      status: 'needs_user_input',
      question: { text: 'Which year?', choices: ['1999', '2024'] },
      resume: expect.any(String),
    });
  }
});

test.each([
  ['*/*', 'text/plain'],
  ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'text/plain'],
  [`*/*, ${documentType}`, documentType],
  [`${documentType};q=0.9, text/plain`, 'text/plain'],
  [`text/plain;q=0.1, ${documentType}`, documentType],
  [documentType.toUpperCase(), documentType],
  [`${documentType};q=0, */*`, 'text/plain'],
  ['text/event-stream', 'text/event-stream'],
  ['application/json, text/event-stream', 'text/plain'],
  [`text/event-stream;q=0.5, ${documentType};q=0.6`, documentType],
  [',;q=,', 'text/plain'],
])('Accept: %s', async (accept, type) => {
  const response = await restApp([agentOf('yes', ['Yes.'])]).get('/v1/yes?q=a', { accept });
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
  await response.text();
});
