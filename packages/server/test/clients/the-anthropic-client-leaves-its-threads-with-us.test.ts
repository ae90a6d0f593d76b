// The promise: a conversation that the official client of Anthropic leaves with the server goes on from what is new alone, and is said again when it was lost.

import type { FakeClock } from '@ai-agent/core/testing';
import Anthropic from '@anthropic-ai/sdk';
import { betaZodOutputFormat } from '@anthropic-ai/sdk/helpers/beta/zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { curious, lastRequest, scribe, teller } from './cast.ts';
import { hastyKey, key, keysOfHouse, serve } from './served.ts';

const heard = teller();
const house = await serve([heard, curious(), scribe()], { keys: keysOfHouse() });

function connect(apiKey = key) {
  const watched = house.watch();
  return { watched, client: new Anthropic({ apiKey, baseURL: house.url, fetch: watched.fetch }) };
}

const say = (content: string) => ({ role: 'user' as const, content });

test('each request has what is new, and the agent hears all of it', async () => {
  const { client, watched } = connect();
  const thread = client.beta.messages.thread({ model: 'teller', max_tokens: 100, system: 'Be short.' });
  expect((await thread.send(say('One.'))).content).toMatchObject([{ text: 'Message 1: One.' }]);
  expect((await thread.send(say('Two.'))).content).toMatchObject([{ text: 'Message 3: Two.' }]);
  expect(await thread.stream(say('Three.')).finalText()).toBe('Message 5: Three.');
  expect((await thread.send(say('Four.'))).content).toMatchObject([{ text: 'Message 7: Four.' }]);
  expect(watched.bodies.map(({ messages }) => messages.length)).toEqual([1, 1, 1, 1]);
  expect(watched.bodies.map(({ system }) => system)).toEqual(['Be short.', undefined, undefined, undefined]);
  expect(lastRequest(heard)?.system).toMatch(/Be short\.$/);
});

test('a question in it is answered by the next message', async () => {
  const { client, watched } = connect();
  const thread = client.beta.messages.thread({ model: 'curious', max_tokens: 100 });
  expect((await thread.send(say('Go.'))).content).toMatchObject([{ text: expect.stringContaining('Which year?') }]);
  expect((await thread.send(say('1999'))).content).toMatchObject([{ text: 'The year is 1999.' }]);
  expect(watched.sessions[1]).toBe(watched.sessions[0]);
});

test('a schema holds for every message of it', async () => {
  const { client } = connect();
  const output_config = { format: betaZodOutputFormat(z.object({ city: z.string(), people: z.number() })) };
  const thread = client.beta.messages.thread({ model: 'scribe', max_tokens: 100, output_config });
  for (const words of ['One.', 'Two.'])
    expect((await thread.parse(say(words))).parsed_output).toEqual({ city: 'Thebes', people: 36_477 });
});

test('a thread that is not held any more is said again, and goes on', async () => {
  const { client, watched } = connect();
  const thread = client.beta.messages.thread({ model: 'teller', max_tokens: 100 });
  await thread.send(say('One.'));
  (house.hall.clock as FakeClock).advance(25 * 60 * 60_000);
  expect((await thread.send(say('Two.'))).content).toMatchObject([{ text: 'Message 3: Two.' }]);
  expect(watched.statuses).toEqual([200, 404, 200]);
  expect((await thread.send(say('Three.'))).content).toMatchObject([{ text: 'Message 5: Three.' }]);
  expect(watched.bodies.map(({ messages }) => messages.length)).toEqual([1, 1, 3, 1]);
});

test('threads of other keys are unknown, and none is gone on with twice', async () => {
  const { client } = connect();
  const create = (who: Anthropic, thread: Anthropic.Beta.BetaMessageThreadParam) =>
    who.beta.messages.create({ model: 'teller', max_tokens: 100, messages: [say('Go.')], thread });
  const { id } = await create(client, { type: 'create' });
  const next = { type: 'continue', previous_message_id: id } as const;
  const details = { error: { error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } } } };
  await expect(create(connect(hastyKey).client, next)).rejects.toMatchObject(details);
  expect((await create(client, next)).content).toMatchObject([{ text: 'Message 3: Go.' }]);
  await expect(create(client, next)).rejects.toMatchObject(details);
});
