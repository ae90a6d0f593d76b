// However thoughts, calls, code and words are mixed, and in whatever pieces they come: what is told adds up to the reply.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hear, text, told } from './support/saying.ts';

const words = [
  'words ',
  '\n',
  '\n\n',
  ' ',
  '`',
  '``',
  '```',
  '```json\n',
  '~~~',
  '> ',
  '<',
  '[',
  '{',
  '"',
  'a < b',
  '- a',
  '<pre>',
  '</pre>',
  '<!--',
  'So:\n',
  '   ',
];
const thoughts = ['<think>', '</think>', '<thi', '[THINK]'];
const marks = [
  '<tool_call>',
  '</tool_call>',
  '<tools>',
  '[TOOL_CALLS]',
  '<function=search>',
  '</function>',
  '<search>',
];
const calls = [
  '<tool_call>{"name":"search","arguments":{"q":"tea"}}</tool_call>',
  '<tool_call>{"name":"search","arguments":{"q":"tea",}}\n</tool_call>\n',
  '<function=search><parameter=q>\n```\n</think>\n</parameter></function>\n',
  '[TOOL_CALLS]search{"q":"tea"}',
  '<search><q>1</q></search>',
  '{"name":"search","arguments":{"q":"tea"}}',
];

const reading = fc.record({
  blocks: fc.boolean(),
  finish: fc.constantFrom('stop', 'stop', 'tool-calls', 'length'),
  format: fc.constantFrom('text', 'text', 'json'),
});

/** Thoughts that only their end shows are told before anybody can know. */
const isKnownInTime = (said: string) => !said.includes('</think>') || /^\s*<\/?think>/.test(said);

test('what is told is the reply', async () => {
  let found = 0;
  const bits = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...thoughts, ...marks), fc.constantFrom(...calls));
  const ends = fc.constantFrom('', '', '\n', ...calls.map((call) => `\n${call}`));
  const mixture = fc.tuple(fc.array(bits, { minLength: 1, maxLength: 8 }), ends).map((list) => list.flat().join(''));
  await fc.assert(
    fc.asyncProperty(
      mixture.filter(isKnownInTime),
      fc.integer({ min: 1, max: 20 }),
      reading,
      async (words, size, how) => {
        const content = how.blocks ? [text(words.slice(0, size)), text(words.slice(size))] : [text(words)];
        const said = {
          content: content.filter((part) => part.type === 'text' && part.text !== ''),
          finish: how.finish,
        };
        const asked = { output: { format: how.format } };
        const whole = await hear(said, asked);
        const { reply, deltas } = await hear(said, asked, size);
        expect(reply).toEqual(whole.reply);
        expect(told(deltas, 'text')).toBe(whole.text);
        expect(told(deltas, 'reasoning').trim()).toBe(whole.thought.trim());
        found += whole.calls.length;
      },
    ),
    { numRuns: 3000, seed: 4 },
  );
  expect(found).toBeGreaterThan(300);
});
