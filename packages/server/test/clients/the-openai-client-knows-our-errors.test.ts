// The promise: what goes wrong is an error of the official client of OpenAI by its own class, tried again only where that helps; who leaves ends the run.

import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { cast, sleeper } from './cast.ts';
import { hastyKey, key, keysOfHouse, serve } from './served.ts';

const sleepers = [sleeper('sleeper'), sleeper('dozer'), sleeper('napper')] as const;
const house = await serve([...cast(), ...sleepers.map(({ agent }) => agent)], { keys: keysOfHouse() });

function connect(apiKey = key, maxRetries = 2) {
  const watched = house.watch();
  return { watched, client: new OpenAI({ apiKey, maxRetries, baseURL: `${house.url}/v1`, fetch: watched.fetch }) };
}

const go = [{ role: 'user' as const, content: 'Go.' }];

async function failureOf(failing: PromiseLike<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error = await Promise.resolve(failing).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return error;
  throw new TypeError(`no error of the API: ${String(error)}`);
}

test('a key that is none', async () => {
  const { client, watched } = connect('sk-wrong');
  const error = await failureOf(client.chat.completions.create({ model: 'teller', messages: go }));
  expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
  expect([error.status, error.code, watched.statuses]).toEqual([401, 'invalid_api_key', [401]]);
  expect(await failureOf(client.models.list())).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(await failureOf(client.responses.create({ model: 'teller', input: 'Go.' }))).toBeInstanceOf(
    OpenAI.AuthenticationError,
  );
});

test('a model, and a response, that is not there', async () => {
  const { client, watched } = connect();
  const failures = [
    await failureOf(client.chat.completions.create({ model: 'nobody', messages: go })),
    await failureOf(client.models.retrieve('nobody')),
    await failureOf(client.responses.create({ model: 'nobody', input: 'Go.' })),
    await failureOf(client.responses.retrieve('resp_nothing')),
  ];
  for (const error of failures) expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  expect(failures[0]).toMatchObject({ code: 'model_not_found', param: 'model', type: 'invalid_request_error' });
  expect(watched.statuses).toEqual([404, 404, 404, 404]);
});

test('a request that is wrong, and which field it is', async () => {
  const { client, watched } = connect();
  const error = await failureOf(client.chat.completions.create({ model: 'teller', messages: [] }));
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect(error.param).toBe('messages');
  const unanswered = await failureOf(
    client.chat.completions.create({
      model: 'teller',
      messages: [
        ...go,
        {
          role: 'assistant',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
        },
        ...go,
      ],
    }),
  );
  expect(unanswered).toBeInstanceOf(OpenAI.BadRequestError);
  const unknown = client.responses.create({ model: 'teller', input: 'Go.', previous_response_id: 'resp_nothing' });
  expect(await failureOf(unknown)).toMatchObject({ status: 400, code: 'previous_response_not_found' });
  expect(watched.statuses).toEqual([400, 400, 400]);
});

test('a key that asks too often', async () => {
  const { client, watched } = connect(hastyKey, 0);
  await client.chat.completions.create({ model: 'teller', messages: go });
  const error = await failureOf(client.chat.completions.create({ model: 'teller', messages: go }));
  expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  expect([error.code, watched.statuses]).toEqual(['rate_limit_exceeded', [200, 429]]);
  expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
});

test('what is wrong behind us is no fault of the key, and not tried again where that is of no use', async () => {
  const { client, watched } = connect();
  const error = await failureOf(client.chat.completions.create({ model: 'broke', messages: go }));
  expect(error).toBeInstanceOf(OpenAI.InternalServerError);
  expect(watched.statuses).toEqual([502]);
  expect(error.requestID).toBe(watched.sessions[0]);
});

test('where it is of use, it is tried again', async () => {
  const { client, watched } = connect(key, 1);
  const error = await failureOf(client.responses.create({ model: 'busy', input: 'Go.' }));
  expect(error).toBeInstanceOf(OpenAI.InternalServerError);
  expect(watched.statuses).toEqual([502, 502]);
});

/** What is of no use to be asked for again is called the client's fault in streams: there is no header for it any more. */
const inStreams = [
  ['broke', 'before anything was said', 'invalid_request_error'],
  ['faint', 'after something was said', 'server_error'],
] as const;

test.each(inStreams)('what goes wrong in a stream: %s, %s', async (model, _when, type) => {
  const { client, watched } = connect();
  const chat = client.chat.completions.stream({ model, messages: go }).finalContent();
  const response = client.responses.stream({ model, input: 'Go.' }).finalResponse();
  for (const error of await Promise.all([failureOf(chat), failureOf(response)]))
    expect(error).toMatchObject({ status: undefined, type });
  expect(watched.statuses).toEqual([200, 200]);
});

test('who leaves a chat, a stream of it, or a response, ends the run', async () => {
  const { client } = connect();
  const [waiting, reading, responding] = sleepers;
  const leave = new AbortController();
  const asked = client.chat.completions.create({ model: 'sleeper', messages: go }, { signal: leave.signal });
  const gone = failureOf(asked);
  await waiting.begun;
  leave.abort();
  expect(await gone).toBeInstanceOf(OpenAI.APIUserAbortError);
  await waiting.ended;

  const stream = client.chat.completions.stream({ model: 'dozer', messages: go });
  const ended = failureOf(stream.done());
  await reading.begun;
  stream.abort();
  expect(await ended).toBeInstanceOf(OpenAI.APIUserAbortError);
  await reading.ended;

  const events = await client.responses.create({ model: 'napper', input: 'Go.', stream: true });
  await responding.begun;
  for await (const _event of events) break;
  await responding.ended;
});
