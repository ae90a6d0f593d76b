// A call of a sub-agent without a schema: a string text or prompt is the prompt, else json, else all arguments as JSON, else nothing.

import { asTool, type JsonObject } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

test.each<[JsonObject, string]>([
  [{ text: 'words', json: { a: 1 } }, 'words'],
  [{ prompt: 'words', json: { a: 1 } }, 'words'],
  [{ text: 5, prompt: 'words' }, 'words'],
  [{ text: 5, json: { a: 1 } }, '{"a":1}'],
  [{ text: null, json: [1, 2] }, '[1,2]'],
  [{ text: { a: 1 }, prompt: 6, json: 'plain' }, 'plain'],
  [{ text: 5 }, '{"text":5}'],
  [{ text: { city: 'Athens' }, days: 3 }, '{"text":{"city":"Athens"},"days":3}'],
  [{}, ''],
])('%j asks %j', async (args, prompt) => {
  const child = agent('child', ['heard']);
  const calls = [{ name: 'agent__child', input: { reason: 'r', ...args } }];
  const { outcome } = await walk(agent('lead', [{ calls }, 'done'], { tools: [asTool(child)] }));
  expect(outcome.status).toBe('completed');
  const [request] = child.model.requests;
  expect(request?.messages).toMatchObject([{ role: 'user', content: [{ text: prompt }] }]);
});
