// The promise: the corpus says every key that a file may have, in every form that files have it in.

import { options } from '@ai-agent/agents';
import { describe, expect, test } from 'vitest';
import { files, frontmatterOf, sourceOf } from './support/corpus/files.ts';

const groups = ['budget', 'hints', 'limits'];

/** What stands in an object of keys is a key with a dot; those of `limits` mean the same outside. */
const said = files.flatMap((file) =>
  Object.entries(frontmatterOf(file)).flatMap(([key, value]): readonly [string, unknown][] => {
    if (!groups.includes(key)) return [[key, value]];
    const inside = Object.entries(value as object);
    return inside.map(([inner, one]) => [key === 'limits' ? inner : `${key}.${inner}`, one]);
  }),
);

const valuesOf = (key: string) => said.filter(([one]) => one === key).map(([, value]) => value);

const keys = options.filter((option) => option.said.includes('file')).map(({ key }) => key);

test.each(keys)('%s', (key) => {
  expect(valuesOf(key)).not.toEqual([]);
});

const isNumber = (value: unknown) => typeof value === 'number';
const isNumeric = (value: unknown) => typeof value === 'string' && /^[\d.]+$/.test(value);
const isDuration = (value: unknown) => typeof value === 'string' && /^[\d.]+ ?(?:ms|s|m|h|d|w|mo|y)$/.test(value);
const isList = Array.isArray;
const isText = (value: unknown) => typeof value === 'string';
const is = (word: unknown) => (value: unknown) => value === word;
const has = (part: string, form: (value: unknown) => boolean) => (value: unknown) =>
  typeof value === 'object' && value !== null && form((value as Record<string, unknown>)[part]);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isJson = (value: unknown) => typeof value === 'string' && value.trim().startsWith('{');
const isYaml = (value: unknown) => typeof value === 'string' && !value.trim().startsWith('{');

const unset = ['none', 'off', 'unset', 'default', 'null'];

const forms: Readonly<Record<string, readonly ((value: unknown) => boolean)[]>> = {
  models: [isText, isList],
  tools: [isText, isList],
  agents: [isText, isList],
  plugins: [isText, isList],
  advisors: [isText, isList],
  handoff: [isText, isList],
  router: [has('destinations', isText), has('destinations', isList)],
  input: [
    has('format', is('text')),
    has('format', is('json')),
    ...[isObject, isJson, isYaml].map((form) => has('schema', form)),
    ...['.json', '.yaml'].map((end) => has('schemaRef', (path) => String(path).endsWith(end))),
  ],
  output: [
    ...['text', 'markdown', 'json'].map((format) => has('format', is(format))),
    ...[isObject, isJson, isYaml].map((form) => has('schema', form)),
    ...['.json', '.yaml'].map((end) => has('schemaRef', (path) => String(path).endsWith(end))),
  ],
  toolOutput: ['enabled', 'maxChunks', 'overlapPercent', 'avgLineBytesThreshold', 'models'].map((part) =>
    has(part, (value) => value !== undefined),
  ),
  llmTimeout: [isNumber, isDuration],
  toolTimeout: [isNumber, isDuration],
  cache: [is('off'), isNumber, isDuration],
  caching: [is('full'), is('none')],
  temperature: [isNumber, isNumeric, is(null)],
  topP: [isNumber, isNumeric],
  topK: [isNumber, isNumeric],
  repeatPenalty: [isNumber, isNumeric],
  reasoning: ['none', 'unset', 'minimal', 'low', 'medium', 'high', 'default', 'inherit', ''].map(is),
  reasoningTokens: [isNumber, isNumeric, ...[0, 'off', 'none', 'disabled'].map(is)],
  hold: [is('fresh'), is('kept'), has('pool', isNumber)],
  ask: [is('caller'), is('person')],
  progress: [is(true), is(false)],
  permissions: ['allow', 'ask', 'deny'].map((part) => has(part, (value) => value !== undefined)),
  maxToolTurns: [isNumber],
  parallelToolCalls: [is(false)],
};

describe('in every form', () => {
  test.each(Object.keys(forms))('%s', (key) => {
    for (const form of forms[key] ?? []) expect(valuesOf(key).some(form), form.toString()).toBe(true);
  });

  test.each(['temperature', 'topP', 'topK', 'repeatPenalty'])('%s, not sent', (key) => {
    expect(valuesOf(key).some((value) => unset.includes(String(value)))).toBe(true);
  });

  test('every word for "not sent"', () => {
    const words = ['temperature', 'topP', 'topK', 'repeatPenalty'].flatMap(valuesOf);
    expect(unset.filter((word) => !words.includes(word))).toEqual([]);
  });
});

test('and what stands around them', () => {
  const sources = files.map(sourceOf);
  const patterns = [
    ...[/^#!\/usr\/bin\/env ai-agent\n/, /\r\n/, /[^\n]$/, /^(?!---|#!)/],
    ...[/\{% render '/, /\{% include '/, /\$\{include:/, /\{\{include:/, /\$\{DAY\}/, /\{\{DATETIME\}\}|\{\{CD\}\}/],
    ...[/XML-NEXT\.DATETIME/, /XML-NEXT\.FORMAT/, /\$\{FORMAT\}/, /\$\{[a-z.]+\}/, /\{% raw %\}/, /\{% if /],
    ...[/agent__task_status/, /agent__batch/, /library__search/, /rest__logs/, /tool_output/, /final report/],
  ];
  for (const pattern of patterns)
    expect(
      sources.some((source) => pattern.test(source)),
      String(pattern),
    ).toBe(true);
});
