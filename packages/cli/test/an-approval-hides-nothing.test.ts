// Who gives leave reads what they give it for: whole, or its head and its tail, and with every gap made visible.

import type { Question } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { toForm, toLines } from '../src/commands/run/question-form.ts';

const question = { handle: 'h', sessionId: 's', agentName: 'clerk', text: 'May I?', to: 'person' };
const approval = (args: object) =>
  toForm({ ...question, type: 'approval', call: { tool: 'shell', args } } as unknown as Question).lines;

test('a value is shown whole', () => {
  const long = `echo ${'x'.repeat(3_000)}; rm -rf /`;
  expect(approval({ command: long })).toEqual(['clerk wants to call shell:', `  command: "${long}"`]);
});

test('of a very long one the end is shown too', () => {
  const [, line = ''] = approval({ command: `echo ${'x'.repeat(50_000)}; rm -rf /` });
  expect(line.length).toBeLessThan(4_200);
  expect(line).toMatch(/^ {2}command: "echo x+ … \(\d+ characters left out\) … x+; rm -rf \/"$/);
});

test.each([
  ['spaces', ' '],
  ['wide spaces', '\u3000'],
  ['letters that look like spaces', '\u2800'],
])('many %s are one note', (_, blank) => {
  expect(approval({ command: `echo ok ${blank.repeat(295)}; rm -rf /` })[1]).toMatch(
    /^ {2}command: "echo ok ‹29[56] spaces› ; rm -rf \/"$/,
  );
});

test('a few spaces stay as they are', () => {
  expect(approval({ command: 'a   b' })[1]).toBe('  command: "a   b"');
});

test('however many arguments there are, the last is there', () => {
  const args = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`a${i}`, i]));
  expect(approval({ ...args, command: 'rm -rf /' }).at(-1)).toMatch(/and 11 arguments more: .*"command":"rm -rf \/"/);
});

test('for whoever reads it later: the question with its choices, or with the form of its answer', () => {
  const asked = (more: object) => toLines({ ...question, type: 'question', ...more } as unknown as Question);
  expect(asked({})).toEqual(['May I?']);
  expect(asked({ choices: ['red\u001b[2J', 'blue'] })).toEqual(['May I?', '  1. red [2J', '  2. blue']);
  expect(asked({ schema: { enum: ['a', 'b'] } })).toEqual(['May I?', '  1. a', '  2. b']);
  expect(asked({ schema: { type: 'object' } })).toEqual(['May I?', 'The answer is JSON: {"type":"object"}']);
  const call = { tool: 'shell', args: { command: 'ls' } };
  expect(asked({ type: 'approval', call })).toEqual(['clerk wants to call shell:', '  command: "ls"']);
});
