// The promise: who answers in words is understood: choices however they are written or by their place, where that is no choice itself, yes and no as people say them; leave is
// given by a plain yes alone.

import type { Question } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { toAnswer } from '../src/act/reply.ts';

const base = { text: 'Which?', to: 'person', handle: 'h', agentName: 'a', sessionId: 's' } as const;
const choice = { ...base, type: 'question', choices: ['red', 'dark blue', 'seven'] } as Question;
const approval = { ...base, type: 'approval' } as Question;

test.each([
  ['red', 'red'],
  ['Red', 'red'],
  ['RED.', 'red'],
  [' dark Blue ', 'dark blue'],
  ['2', 'dark blue'],
  ['3.', 'seven'],
  ['9', '9'],
  ['neither', 'neither'],
])('the choice %j', (words, answer) => {
  expect(toAnswer(choice, words)).toBe(answer);
});

test.each([
  [{ type: 'boolean' }, 'yes, please', true],
  [{ type: 'boolean' }, 'No.', false],
  [{ type: 'boolean' }, 'no, thanks', false],
  [{ type: 'boolean' }, 'Nope!', false],
  [{ type: 'boolean' }, 'don’t', false],
  [{ type: 'boolean' }, 'perhaps', 'perhaps'],
  [{ type: 'boolean' }, 'N/A', 'N/A'],
  [{ type: 'boolean' }, 'no idea', 'no idea'],
  [{ type: 'boolean' }, 'no problem, go ahead', 'no problem, go ahead'],
  [{ type: 'string', enum: ['Small', 'Large'] }, 'large', 'Large'],
  [{ type: 'integer', enum: [1, 2] }, '2', 2],
  [{ type: 'string' }, '2', '2'],
])('what a schema leaves: %j, %j', (schema, words, answer) => {
  expect(toAnswer({ ...base, type: 'question', schema } as Question, words)).toBe(answer);
});

test.each([
  [['10', '5'], '1', '1'],
  [['10', '5'], '5', '5'],
  [['10', '5'], '10.', '10'],
  [['red', '7'], '1', '1'],
  [['red', '7'], '7', '7'],
  [['2.5', '1,5'], '1', '1'],
  [['-1', '+2'], '2', '2'],
  [['10 metres', '5 metres'], '1', '10 metres'],
])('where one of %j is a number, %j means %j', (choices, words, answer) => {
  expect(toAnswer({ ...choice, choices }, words)).toBe(answer);
});

test.each(['yes', 'Y', 'Yes.', 'yes please', 'OK!', 'approve', 'go ahead', 'sure, thanks'])('leave by %j', (words) => {
  expect(toAnswer(approval, words)).toEqual({ isApproved: true, reason: '' });
});

test.each([
  ['no', ''],
  ['No.', ''],
  ['decline', ''],
  ['no, too much', 'too much'],
  ['don’t: not today', 'not today'],
])('no leave by %j', (words, reason) => {
  expect(toAnswer(approval, words)).toEqual({ isApproved: false, reason });
});

test.each(['yes, but only ten', 'maybe', 'nothing', 'yesterday', 'okay?'])('%j is neither', (words) => {
  expect(toAnswer(approval, words)).toBe(words);
});

test.each([
  [{ type: 'approval' }, 'yes', { isApproved: true, reason: '' }],
  [{ type: 'question', choices: ['red'] }, 'Red', 'red'],
  [{ type: 'question', schema: { type: 'integer' } }, '7', '7'],
  [{ type: 'question' }, 'this one', 'this one\n\ncat.png came with it'],
])('with what came along: %j', (question, words, answer) => {
  expect(toAnswer({ ...base, ...question } as Question, words, `${words}\n\ncat.png came with it`)).toEqual(answer);
});
