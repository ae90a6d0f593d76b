// A picture that a tool gives arrives on every wire: in the result where it has a place for that, else directly after all results.

import { ask, type FilePart, type Message, type ModelRequest } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { createModels } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { hastyClock } from './support/clocks.ts';
import { chat } from './support/wires/chat.ts';
import { google } from './support/wires/google.ts';
import { wires } from './support/wires/index.ts';
import { ollama } from './support/wires/ollama.ts';
import { type Answer, serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const data = 'iVBORw0KGgo=';
const png: FilePart = { type: 'file', mediaType: 'image/png', data, name: 'cat.png' };
const zip: FilePart = { type: 'file', mediaType: 'application/zip', data: 'UEsDBA==', name: 'all.zip' };

const call = (id: string) => ({ type: 'tool-call', id, name: 'shoot', input: '{}' }) as const;
const result = (id: string, text: string, files?: readonly FilePart[]) =>
  ({ type: 'tool-result', id, name: 'shoot', text, isError: false, ...(files ? { files } : {}) }) as const;
const tools = [{ name: 'shoot', description: 'Shoots.', inputSchema: { type: 'object' } }];

/** Two calls side by side, the first with a picture. */
function conversation(files: readonly FilePart[], text = 'Click.'): Partial<ModelRequest> {
  const messages: Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Shoot twice.' }] },
    { role: 'assistant', content: [call('call_1'), call('call_2')] },
    { role: 'tool', content: [result('call_1', text, files), result('call_2', 'Clack.')] },
  ];
  return { messages, tools };
}

async function bodyOf(wire: Wire, request: Partial<ModelRequest>, model?: string): Promise<Record<string, unknown>> {
  const served = await serveWire(wire, [{ text: 'A cat.' }], model === undefined ? {} : { model });
  await served.model.call(requestOf(request), contextOf());
  return served.requests[0]?.body ?? {};
}

/** The end of what was sent: from the first result on. */
function fromResults(body: Record<string, unknown>): readonly unknown[] {
  const said = (body.messages ?? body.input ?? body.contents) as readonly object[];
  return said.slice(
    said.findIndex((one) =>
      /tool_result|"role":"tool"|function_call_output|functionResponse/.test(JSON.stringify(one)),
    ),
  );
}

const url = `data:image/png;base64,${data}`;
const heading = 'Files of the result of shoot:';
const chatResults = [
  { role: 'tool', tool_call_id: 'call_1', content: 'Click.' },
  { role: 'tool', tool_call_id: 'call_2', content: 'Clack.' },
];
const chatPicture = { type: 'image_url', image_url: { url } };
const chatEnd = [...chatResults, { role: 'user', content: [{ type: 'text', text: heading }, chatPicture] }];

const arrived: Readonly<Record<string, readonly unknown[]>> = {
  'openai-compatible': chatEnd,
  'openai (chat)': chatEnd,
  openrouter: chatEnd,
  ollama: [
    { role: 'tool', content: 'Click.', tool_call_id: 'call_1' },
    { role: 'tool', content: 'Clack.', tool_call_id: 'call_2' },
    { role: 'user', content: heading, images: [data] },
  ],
  'openai (responses)': [
    {
      type: 'function_call_output',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: 'Click.' },
        { type: 'input_image', image_url: url },
      ],
    },
    { type: 'function_call_output', call_id: 'call_2', output: 'Clack.' },
  ],
  anthropic: [
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: [
            { type: 'text', text: 'Click.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          ],
        },
        { type: 'tool_result', tool_use_id: 'call_2', content: 'Clack.' },
      ],
    },
  ],
  google: [
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            name: 'shoot',
            response: { content: 'Click.' },
            parts: [{ inlineData: { mimeType: 'image/png', data } }],
          },
        },
        { functionResponse: { name: 'shoot', response: { content: 'Clack.' } } },
      ],
    },
  ],
};

const takesAddresses = ['openai (responses)', 'anthropic', 'google'];

describe.each(wires.map((wire) => [wire.label, wire] as const))('%s', (label, wire) => {
  test('a picture', async () => {
    expect(fromResults(await bodyOf(wire, conversation([png])))).toMatchObject(arrived[label] ?? expect.fail(label));
  });

  test('a picture and not a word', async () => {
    const body = JSON.stringify(await bodyOf(wire, conversation([png], '')));
    expect(body).toContain(data);
    expect(body).not.toContain('"text":""');
  });

  test('what it cannot be shown is told in words, and spoils nothing', async () => {
    const away = { ...png, name: 'away.png', data: 'file:///etc/passwd' };
    const odd = { ...png, name: 'odd.png', data: 'https://[odd' };
    const body = JSON.stringify(await bodyOf(wire, conversation([zip, png, away, odd])));
    for (const name of ['all.zip (application/zip)', 'away.png (image/png)', 'odd.png (image/png)'])
      expect(body).toContain(`[${name} is part of the result and cannot be shown to this model.]`);
    expect(body).toContain(data);
    expect(body).not.toContain('UEsDBA==');
    expect(body).not.toContain('/etc/passwd');
  });

  test.each(['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp'])('%s is shown', async (mediaType) => {
    const body = JSON.stringify(await bodyOf(wire, conversation([{ ...png, mediaType }])));
    if (wire === google && mediaType === 'image/gif') expect(body).toContain('cannot be shown');
    else expect(body).toContain(data);
  });

  test.each(['image/svg+xml', 'image/bmp', 'image/*', 'image'])('%s is no picture to a model', async (mediaType) => {
    const body = JSON.stringify(await bodyOf(wire, conversation([{ ...png, mediaType, name: 'odd' }])));
    expect(body).toContain(`[odd (${mediaType}) is part of the result and cannot be shown to this model.]`);
    expect(body).not.toContain(data);
  });

  test('an address that holds the picture may be in capitals', async () => {
    const body = JSON.stringify(await bodyOf(wire, conversation([{ ...png, data: `DATA:image/png;base64,${data}` }])));
    expect(body).toContain(data);
    expect(body).not.toContain('DATA:');
  });

  test('a PDF at an address goes as one where that is taken, else in words', async () => {
    const pdf = { type: 'file', mediaType: 'application/pdf', data: 'https://host.test/a.pdf', name: 'a.pdf' } as const;
    const body = JSON.stringify(await bodyOf(wire, conversation([pdf])));
    if (takesAddresses.includes(label)) expect(body).toContain('https://host.test/a.pdf');
    else expect(body).toContain('[a.pdf (application/pdf) is part of the result and cannot be shown to this model.]');
    expect(body.includes('host.test')).toBe(takesAddresses.includes(label));
  });

  test('goes on being told, turn after turn, and to whoever goes on when its provider dies', async () => {
    const shoot = { ...tools[0], name: 'shoot', inputSchema: { type: 'object' }, execute: () => shot };
    const shot = { type: 'text' as const, value: 'Click.', files: [png] };
    const calling = { calls: [{ id: 'call_1', name: 'shoot', input: {} }] };
    const dead: Answer = (response) => response.writeHead(500).end(wire.error(500, 'It is so'));
    for (const other of wires) {
      const one = await serveWire(wire, [calling, calling, dead], { name: 'one' });
      const two = await serveWire(other, [{ text: 'A cat.' }], { name: 'two' });
      const model = [one.model, two.model];
      const agent = { name: 'a', instructions: 'You look.', model, tools: [shoot], limits: { maxRetries: 1 } };
      const outcome = await ask(agent, 'Shoot.', { ports: fakePorts({ clock: hastyClock() }) });
      expect(outcome).toMatchObject({ status: 'completed', text: 'A cat.' });
      const pictures = (body: unknown) => JSON.stringify(body).split(data).length - 1;
      expect(one.requests.map(({ body }) => pictures(body))).toEqual([0, 1, 2]);
      expect(two.requests.map(({ body }) => pictures(body))).toEqual([2]);
      const order = JSON.stringify(fromResults(two.requests[0]?.body ?? {}));
      expect(order.indexOf('Click.')).toBeLessThan(order.indexOf(data));
    }
  });
});

test('older models of Gemini get it from the user, after all results', async () => {
  const [results, shown] = fromResults(await bodyOf(google, conversation([png]), 'gemini-2.5-flash'));
  expect(results).toMatchObject({
    parts: [{ functionResponse: { name: 'shoot' } }, { functionResponse: { name: 'shoot' } }],
  });
  expect(JSON.stringify(results)).not.toContain(data);
  expect(shown).toMatchObject({
    role: 'user',
    parts: [{ text: heading }, { inlineData: { mimeType: 'image/png', data } }],
  });
});

test('a server of Mistral hears a word between the results and the picture', async () => {
  const end = fromResults(await bodyOf(chat, conversation([png]), 'mistral-small'));
  expect(end.map((message) => (message as { role: string }).role)).toEqual(['tool', 'tool', 'assistant', 'user']);
});

test('a picture at an address goes as one, where addresses are taken', async () => {
  const away = { ...png, data: 'https://host.test/cat.png' };
  expect(JSON.stringify(await bodyOf(chat, conversation([away])))).toContain('"url":"https://host.test/cat.png"');
  const body = JSON.stringify(await bodyOf(ollama, conversation([away])));
  expect(body).toContain('cannot be shown to this model');
});

test('the model that needs nothing names it', async () => {
  const models = createModels({});
  onTestFinished(() => models.close());
  const model = await models.resolve('offline/demo', { env: {} });
  const shoot = {
    name: 'shoot',
    description: 'Shoots.',
    inputSchema: { type: 'object' },
    execute: () => ({ type: 'text' as const, value: 'Click.', files: [png] }),
  };
  const outcome = await ask({ name: 'a', instructions: 'You shoot.', model, tools: [shoot] }, 'Shoot a cat.', {
    ports: fakePorts(),
  });
  expect(outcome).toMatchObject({ status: 'completed', text: expect.stringContaining('cat.png') });
});
