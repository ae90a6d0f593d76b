// The promise: the keys that people have in their files are those of the table, both ways, with the defaults they rely on.

import { expect, test } from 'vitest';
import { options } from '../src/index.ts';
import { keysOf } from '../src/options/read-options.ts';
import { keyFixtures } from './support/key-fixtures.ts';

/** Section 1.3 of the reference, by hand: the key, and its effective default where the table has a value for it. */
const reference: readonly (readonly [key: string, held?: unknown])[] = [
  ['description'],
  ['usage'],
  ['toolName'],
  ['models'],
  ['tools'],
  ['agents'],
  ['plugins'],
  ['advisors'],
  ['router'],
  ['handoff'],
  ['input'],
  ['output'],
  ['toolOutput'],
  ['llmTimeout', 600_000],
  ['toolTimeout', 300_000],
  ['cache', 'off'],
  ['caching', 'full'],
  ['toolResponseMaxBytes', 12_288],
  ['temperature', 0.2],
  ['topP'],
  ['topK'],
  ['repeatPenalty'],
  ['maxOutputTokens', 16_384],
  ['reasoning'],
  ['reasoningTokens'],
  ['maxRetries', 3],
  ['maxTurns', 10],
  ['maxToolCallsPerTurn', 10],
];

/** What this tool adds. */
const ours: readonly (readonly [key: string, held?: unknown])[] = [
  ['ask'],
  ['hold', 'fresh'],
  ['hints.parallel'],
  ['permissions'],
  ['workspace', false],
  ['progress'],
  ['compaction', true],
  ['strict', false],
  ['maxParallel', 4],
  ['maxDepth'],
  ['budget.tokens'],
  ['budget.costUsd'],
  ['budget.time'],
  ['budget.turns'],
  ['budget.toolCalls'],
  ['budget.descendants'],
];

const inFiles = options.filter(({ said }) => said.includes('file'));

test('the keys of a file are those of the reference and ours', () => {
  expect(inFiles.map(({ key }) => key).sort()).toEqual([...reference, ...ours].map(([key]) => key).sort());
});

test('each key stands in the table once', () => {
  expect(new Set(options.map(({ key }) => key)).size).toBe(options.length);
});

test.each([...reference, ...ours])('%s has the default that really holds', (key, held) => {
  expect(options.find((option) => option.key === key)?.default).toEqual(held);
});

test('what has no value for a default says in words what holds, or is nothing at all', () => {
  const words = Object.fromEntries(inFiles.flatMap(({ key, otherwise }) => (otherwise ? [[key, otherwise]] : [])));
  expect(words).toMatchObject({
    toolName: 'the name of the file',
    topP: 'not sent',
    topK: 'not sent',
    repeatPenalty: 'not sent',
    maxDepth: '3, or as deep as its own files go, at most 10',
    'budget.descendants': '64 for a whole run',
  });
});

test.each(inFiles.map(({ key }) => key))('%s is in a hand-written fixture', (key) => {
  expect(keyFixtures.filter(({ said }) => Object.hasOwn(said, key)).length).toBeGreaterThan(0);
});

test('the fixtures say nothing that the table has not', () => {
  const known = new Set(inFiles.map(({ key }) => key));
  expect(keyFixtures.flatMap(({ said }) => Object.keys(said)).filter((key) => !known.has(key))).toEqual([]);
});

test('what an author may write at the top is the table, with the objects that hold options', () => {
  const flat = [...reference, ...ours].map(([key]) => key).filter((key) => !key.includes('.'));
  expect([...keysOf('file')].sort()).toEqual([...flat, 'budget', 'hints', 'limits'].sort());
});

test('the fields of core that options become are all different', () => {
  const fields = options.flatMap(({ field }) => (field ? [field.join('.')] : []));
  expect(new Set(fields).size).toBe(fields.length);
});
