// The promise: of a misspelt word we say what was probably meant, and nothing when nothing is close.
import { nearest } from '@ai-agent/core';
import { expect, test } from 'vitest';

const known = ['apiKey', 'baseUrl', 'headers', 'models', 'topP', 'topK'];

test.each([
  ['apikey', 'apiKey'],
  ['baseURL', 'baseUrl'],
  ['base_url', 'baseUrl'],
  ['header', 'headers'],
  ['modles', 'models'],
  ['topX', 'topP'],
])('%s is probably %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});

test.each(['temperature', 'x', '', 'completelyDifferent'])('nothing is close to %j', (word) => {
  expect(nearest(word, known)).toBeUndefined();
});

test('a long word may differ in a third of its letters, a short one in two', () => {
  expect(nearest('abcdefghixyz', ['abcdefghijkl'])).toBe('abcdefghijkl');
  expect(nearest('abcdefgvwxyz', ['abcdefghijkl'])).toBeUndefined();
  expect([nearest('ab', ['xy']), nearest('abc', ['xyz'])]).toEqual(['xy', undefined]);
});

test('nothing is close when nothing is known', () => {
  expect(nearest('apiKey', [])).toBeUndefined();
});
