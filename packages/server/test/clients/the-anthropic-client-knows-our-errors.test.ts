// The promise: what goes wrong is an error of the official client of Anthropic by its own class, tried again only where that helps; who leaves ends the run.

import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { cast, sleeper } from './cast.ts';
import { hastyKey, key, keysOfHouse, serve } from './served.ts';

const sleepers = [sleeper('sleeper'), sleeper('dozer'), sleeper('napper')] as const;
const house = await serve([...cast(), ...sleepers.map(({ agent }) => agent)], { keys: keysOfHouse() });

function connect(who: { apiKey?: string | null; authToken?: string | null } = { apiKey: key }, maxRetries = 2) {
  const watched = house.watch();
  const bearer = { apiKey: null, authToken: null, ...who };
  return { watched, client: new Anthropic({ ...bearer, maxRetries, baseURL: house.url, fetch: watched.fetch }) };
}

const ask = (model: string) => ({ model, max_tokens: 1_000, messages: [{ role: 'user' as const, content: 'Go.' }] });

async function failureOf(failing: PromiseLike<unknown>): Promise<InstanceType<typeof Anthropic.APIError>> {
  const error = await Promise.resolve(failing).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Anthropic.APIError) return error;
  throw new TypeError(`no error of the API: ${String(error)}`);
}

test.each([{ apiKey: key }, { authToken: key }])('a key opens the door, however it is sent', async (who) => {
  const { client } = connect(who);
  expect((await client.messages.create(ask('teller'))).content).toMatchObject([{ text: 'Message 1: Go.' }]);
});

test.each([{ apiKey: 'sk-wrong' }, { authToken: 'sk-wrong' }])('a key that is none', async (who) => {
  const { client, watched } = connect(who);
  const error = await failureOf(client.messages.create(ask('teller')));
  expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
  expect([error.status, error.type, watched.statuses]).toEqual([401, 'authentication_error', [401]]);
  expect(await failureOf(client.models.list())).toBeInstanceOf(Anthropic.AuthenticationError);
});

test('a model that is not there', async () => {
  const { client, watched } = connect();
  const failures = [
    await failureOf(client.messages.create(ask('nobody'))),
    await failureOf(client.models.retrieve('nobody')),
    await failureOf(client.messages.countTokens({ model: 'nobody', messages: ask('nobody').messages })),
    await failureOf(client.messages.batches.retrieve('msgbatch_nothing')),
  ];
  for (const error of failures) expect(error).toBeInstanceOf(Anthropic.NotFoundError);
  expect(failures.map(({ type }) => type)).toEqual(failures.map(() => 'not_found_error'));
  expect(watched.statuses).toEqual([404, 404, 404, 404]);
});

test('a request that is wrong, and where', async () => {
  const { client, watched } = connect();
  const failures = [
    await failureOf(client.messages.create({ ...ask('teller'), messages: [] })),
    await failureOf(client.messages.create({ ...ask('teller'), max_tokens: 0 })),
  ];
  for (const error of failures) expect(error).toBeInstanceOf(Anthropic.BadRequestError);
  expect(failures.map(({ type, message }) => [type, /messages|max_tokens/.test(message)])).toEqual([
    ['invalid_request_error', true],
    ['invalid_request_error', true],
  ]);
  expect(watched.statuses).toEqual([400, 400]);
});

test('a key that asks too often', async () => {
  const { client, watched } = connect({ apiKey: hastyKey }, 0);
  await client.messages.create(ask('teller'));
  const error = await failureOf(client.messages.create(ask('teller')));
  expect(error).toBeInstanceOf(Anthropic.RateLimitError);
  expect([error.type, watched.statuses]).toEqual(['rate_limit_error', [200, 429]]);
  expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
});

test('what is wrong behind us is no fault of the key, and not tried again where that is of no use', async () => {
  const { client, watched } = connect();
  const error = await failureOf(client.messages.create(ask('broke')));
  expect(error).toBeInstanceOf(Anthropic.InternalServerError);
  expect([error.type, watched.statuses]).toEqual(['api_error', [500]]);
  expect(error.requestID).toBe(watched.sessions[0]);
});

test('where it is of use, it is tried again', async () => {
  const { client, watched } = connect({ apiKey: key }, 1);
  expect(await failureOf(client.messages.create(ask('busy')))).toBeInstanceOf(Anthropic.InternalServerError);
  expect(watched.statuses).toEqual([500, 500]);
});

test('what goes wrong before a stream has begun, and in the middle of it', async () => {
  const { client, watched } = connect();
  const stream = (model: string) => client.messages.stream(ask(model)).finalMessage();
  expect(await failureOf(stream('broke'))).toBeInstanceOf(Anthropic.InternalServerError);
  expect(watched.statuses).toEqual([500]);
  const error = await failureOf(stream('faint'));
  expect([error.status, error.type, watched.statuses]).toEqual([undefined, 'api_error', [500, 200]]);
});

test('who leaves a message, or a stream of it, ends the run', async () => {
  const { client } = connect();
  const [waiting, reading, iterating] = sleepers;
  const leave = new AbortController();
  const gone = failureOf(client.messages.create(ask('sleeper'), { signal: leave.signal }));
  await waiting.begun;
  leave.abort();
  expect(await gone).toBeInstanceOf(Anthropic.APIUserAbortError);
  await waiting.ended;

  const stream = client.messages.stream(ask('dozer'));
  const ended = failureOf(stream.done());
  await reading.begun;
  stream.abort();
  expect(await ended).toBeInstanceOf(Anthropic.APIUserAbortError);
  await reading.ended;

  const events = await client.messages.create({ ...ask('napper'), stream: true });
  await iterating.begun;
  for await (const _event of events) break;
  await iterating.ended;
});
