// Nobody is left to think that the offline model understood: every report says what it is, and none makes things up.

import { ask, inProcess } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

async function answer(instructions: string, prompt: string) {
  const agent = { name: 'solo', instructions, model: offlineDemo() };
  const outcome = await ask(agent, prompt, { ports: fakePorts(), runtime: strict(inProcess) });
  expect(outcome.status).toBe('completed');
  const [text, ...rest] = outcome.text.split('\n\n(offline/demo: composed by rule, without a language model)');
  expect(rest).toEqual(['']);
  return text;
}

test('A bare question gets the role and a plain word instead of an answer.', async () => {
  expect(await answer('You are a geography teacher. Be kind.', 'What is the capital of France?')).toBe(
    'Instructed: “You are a geography teacher.” There is no language model behind this demonstration, so it has no answer to “What is the capital of France?”',
  );
});

test('A text is answered with its longest sentences, in their order.', async () => {
  const text = [
    'Summarise this:',
    'The bridge opened in 1931 and carried 40,000 cars a day by 1960.',
    'It is green.',
    'Engineers from Porto rebuilt its deck in 1988.',
    'Some like it.',
  ].join('\n');
  expect(await answer('You summarise.', text)).toBe(
    'The bridge opened in 1931 and carried 40,000 cars a day by 1960. Engineers from Porto rebuilt its deck in 1988.',
  );
});

test.each(['', 'Hello', 'Tell me a joke.', '???', '{}', '[]', 'null', '🙂'])(
  '%j is answered without pretending.',
  async (prompt) => {
    expect(await answer('You are a poet', prompt)).toContain('There is no language model behind this demonstration');
  },
);
