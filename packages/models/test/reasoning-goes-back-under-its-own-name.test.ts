// A provider gets its reasoning back under the name it used, if it takes it back at all: other names are refused.

import { userMessage } from '@ai-agent/core';
import { createModels } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const thoughts = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }];

async function sentBack(message: object, context: (typeof ways)[number][1], interleaved?: boolean | string) {
  const bodies: { messages: Record<string, unknown>[] }[] = [];
  const { baseUrl } = await serve((_, response, body) => {
    const asked = JSON.parse(body);
    bodies.push(asked);
    const choice = { index: 0, [asked.stream ? 'delta' : 'message']: message, finish_reason: 'stop' };
    const reply = JSON.stringify({ id: '1', choices: [choice] });
    response.end(asked.stream ? `data: ${reply}\n\n` : reply);
  });
  const own = {
    type: 'openai-compatible',
    baseUrl,
    ...(interleaved === undefined ? {} : { models: { m: { interleaved } } }),
  } as const;
  const models = createModels({ providers: { own } });
  onTestFinished(() => models.close());
  const model = await models.resolve('own/m', { env: {} });
  const first = await model.call(requestOf(), context());
  expect(first.message.content).toContainEqual(expect.objectContaining({ type: 'reasoning', text: 'Hm.' }));
  await model.call(requestOf({ messages: [userMessage('One.'), first.message, userMessage('Two.')] }), context());
  return bodies[1]?.messages.slice(1);
}

test.each(ways)('reasoning_content comes back: %s', async (_, context) => {
  expect(await sentBack({ reasoning_content: 'Hm.', content: 'So.' }, context)).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: 'So.', reasoning_content: 'Hm.' },
    { role: 'user' },
  ]);
});

test.each(ways)('reasoning under both names comes back once: %s', async (_, context) => {
  const sent = await sentBack({ reasoning_content: 'Hm.', reasoning: 'Hm.', content: 'So.' }, context);
  expect(sent?.[1]).toMatchObject({ content: 'So.', reasoning_content: 'Hm.' });
});

test.each(ways)('reasoning does not: %s', async (_, context) => {
  const sent = await sentBack({ reasoning: 'Hm.', content: 'So.' }, context);
  expect(sent?.[1]).toEqual({ role: 'assistant', content: 'So.' });
});

test.each(ways)('nor do thoughts in the content: %s', async (_, context) => {
  const sent = await sentBack({ content: [...thoughts, { type: 'text', text: 'So.' }] }, context);
  expect(sent?.[1]).toEqual({ role: 'assistant', content: 'So.' });
});

test.each(ways)('a message of nothing else is left out: %s', async (_, context) => {
  expect(await sentBack({ reasoning: 'Hm.' }, context)).toMatchObject([{ role: 'user' }, { role: 'user' }]);
});

describe.each(ways)('as the configuration says: %s', (_, context) => {
  const named = { reasoning: 'Hm.', content: 'So.' };

  test('always', async () => {
    for (const message of [named, { reasoning_content: 'Hm.', content: 'So.' }])
      expect((await sentBack(message, context, true))?.[1]).toEqual({
        role: 'assistant',
        content: 'So.',
        reasoning_content: 'Hm.',
      });
  });

  test('under a name that it gives', async () => {
    const sent = await sentBack({ reasoning_content: 'Hm.', content: 'So.' }, context, 'thoughts');
    expect(sent?.[1]).toEqual({ role: 'assistant', content: 'So.', thoughts: 'Hm.' });
  });

  test('never', async () => {
    const sent = await sentBack({ reasoning_content: 'Hm.', content: 'So.' }, context, false);
    expect(sent?.[1]).toEqual({ role: 'assistant', content: 'So.' });
    expect(await sentBack({ reasoning_content: 'Hm.' }, context, false)).toMatchObject([
      { role: 'user' },
      { role: 'user' },
    ]);
  });
});

test('what another model thought is left out, whatever the configuration says', async () => {
  const bodies: { messages: unknown[] }[] = [];
  const { baseUrl } = await serve((_, response, body) => {
    bodies.push(JSON.parse(body));
    response.end('{"choices":[{"message":{"content":"So."},"finish_reason":"stop"}]}');
  });
  const own = { type: 'openai-compatible', baseUrl, models: { m: { interleaved: true } } } as const;
  const models = createModels({ providers: { own } });
  onTestFinished(() => models.close());
  const thought = { type: 'reasoning', text: 'Hm.', bound: { 'own/other': {} } } as const;
  const said = { role: 'assistant', content: [thought, { type: 'text', text: 'So.' }] } as const;
  await (await models.resolve('own/m', { env: {} })).call(requestOf({ system: '', messages: [said] }), ways[0][1]());
  expect(bodies[0]?.messages).toEqual([{ role: 'assistant', content: 'So.' }]);
});
