// The promise: files of POST /v1/sessions reach the model with the prompt they came with, new or further; what is no file is refused with its place; the list of agents says what is taken.

import type { FilePart, Model, ModelRequest } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { hallOf, openHouse, refusal } from './support/house.ts';

const data = Buffer.from('a picture').toString('base64');
const png = { mediaType: 'image/png', data, name: 'a.png' };

const filesIn = ({ messages }: ModelRequest) =>
  messages.map((one) =>
    one.role === 'user' ? one.content.filter((part): part is FilePart => part.type === 'file') : [],
  );

/** Says which files it was shown with each message. */
const looker = () =>
  agentOf('looker', (request) => JSON.stringify(filesIn(request).map((files) => files.map((file) => file.name ?? ''))));

test('with the prompt that begins a session, and with one that goes on', async () => {
  const seen: ModelRequest[] = [];
  const agent = agentOf('looker', (request) => {
    seen.push(request);
    return 'Seen.';
  });
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('looker', 'What is it?', { attachments: [png] });
  await house.ended(id);
  const lines = `${data.slice(0, 4)}\r\n${data.slice(4)}\n`;
  const more = [{ mediaType: 'Application/PDF', data: lines }];
  const { status } = await house.post('/v1/sessions', { session: id, input: 'And this?', attachments: more });
  expect(status).toBe(201);
  expect((await house.ended(id)).status).toBe('completed');
  expect(seen.map(filesIn)).toEqual([
    [[{ type: 'file', ...png }]],
    [[{ type: 'file', ...png }], [], [{ type: 'file', mediaType: 'application/pdf', data }]],
  ]);
  expect(seen[0]?.messages[0]?.role === 'user' && seen[0].messages[0].content[0]).toEqual({
    type: 'text',
    text: 'What is it?',
  });
});

test.each([
  ['attachments must be a list', 'x'],
  ['attachments[0] must be an object', [data]],
  ['attachments[0].data must be the file as base64', [{ mediaType: 'image/png' }]],
  ['attachments[0].data must be', [{ mediaType: 'image/png', data: '' }]],
  ['attachments[0].data must be', [{ mediaType: 'image/png', data: `data:image/png;base64,${data}` }]],
  ['attachments[0].data must be', [{ mediaType: 'image/png', data: 'https://a.example/x.png' }]],
  ['attachments[1].data must be', [png, { mediaType: 'image/png', data: '!' }]],
  ['attachments[0].mediaType must be', [{ data }]],
  ['attachments[0].mediaType must be', [{ mediaType: 'a picture', data }]],
  ['attachments[0].name must be', [{ ...png, name: 7 }]],
  ['attachments[0].nmae is not known', [{ mediaType: 'image/png', data, nmae: 'x' }]],
])('%s: 400', async (message, attachments) => {
  const house = await openHouse(hallOf([looker()]));
  const replied = await house.post('/v1/sessions', { agent: 'looker', input: 'Look.', attachments } as never);
  expect([...refusal(replied), replied.body.error.message]).toEqual([
    400,
    'request-invalid',
    expect.stringContaining(message),
  ]);
});

test('an answer to a question has none, and the question stays open', async () => {
  const question = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  const script = ({ messages }: ModelRequest) => (messages.length > 1 ? 'Thanks.' : question);
  const asker = agentOf('asker', script, { ask: 'person' });
  const house = await openHouse(hallOf([asker]));
  const id = await house.start('asker');
  expect((await house.ended(id)).status).toBe('needs_user_input');
  const replied = await house.post('/v1/sessions', { session: id, input: 'This.', attachments: [png] });
  expect([...refusal(replied), replied.body.error.message]).toEqual([
    400,
    'request-invalid',
    expect.stringContaining('waits for an answer'),
  ]);
  expect((await house.post('/v1/sessions', { session: id, input: 'This.' })).status).toBe(201);
  expect((await house.ended(id)).status).toBe('completed');
});

test('a session that is started may hold more than other requests, unless a limit is said', async () => {
  const house = await openHouse(hallOf([looker()]));
  const large = { ...png, data: 'A'.repeat(4 * 1024 * 1024) };
  const id = await house.start('looker', 'Look.', { attachments: [large] });
  expect((await house.ended(id)).text).toBe('[["a.png"]]');
  const tooLarge = await house.post('/v1/sessions', { agent: 'looker', input: 'A'.repeat(33 * 1024 * 1024) });
  expect(refusal(tooLarge)).toEqual([413, 'request-too-large']);
  expect(refusal(await house.post('/v1/looker', { text: 'A'.repeat(2 * 1024 * 1024) }))).toEqual([
    413,
    'request-too-large',
  ]);
});

test('the list of agents says what all models of one take, and nothing where one does not say', async () => {
  const taking = (...attachments: readonly string[]): Model => ({ ...scriptedModel(() => 'Yes.'), attachments });
  const agents = [
    agentOf('sees', [], { model: taking('image/png', 'application/pdf') }),
    agentOf('falls', [], { model: [taking('image/png', 'application/pdf'), taking('image/png', 'image/gif')] }),
    agentOf('unsure', [], { model: [taking('image/png'), scriptedModel(() => 'Yes.')] }),
    agentOf('apart', [], { model: [taking('image/png'), taking('image/gif')] }),
    agentOf('offline', [], { model: 'offline/demo' }),
  ];
  const house = await openHouse(hallOf(agents));
  const { body } = await house.get('/v1');
  expect(body.agents.map((one: { attachments?: string[] }) => one.attachments)).toEqual([
    ['image/png', 'application/pdf'],
    ['image/png'],
    undefined,
    undefined,
    undefined,
  ]);
});
