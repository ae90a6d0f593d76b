// The promise: a value that a key does not take is an error that names the file, the line, the key, what was found and what is allowed.

import { expect, test } from 'vitest';
import { toLine } from '../src/index.ts';
import { agentFile, loadFiles } from './support/world.ts';

const time = 'a time such as 90s, 2m or 1.5h (ms, s, m, h, d, w, mo, y), or milliseconds';
const unset = 'or one of none, off, unset, default, null to send none';
const list = 'a list of names, or names with commas between them';
const schema = 'a JSON Schema: an object, or text that holds one as JSON or YAML';
const contract = 'an object with any of format, schema, schemaRef';
const tools = 'a list of names or globs, such as github, github__get_*, !github__delete_*, openapi:crm';
const level = 'one of none, minimal, low, medium, high, or default to leave it to the provider';
const tokens = 'a whole number of tokens, or one of 0, off, none, disabled';
const offered = 'a list of tools by the names its model sees, or globs, such as github__get_issue, agent__*';
const held = 'fresh, kept, or { pool: a whole number from 1 }';

/** What is written, the key, what was found, what is allowed. */
const wrongs: readonly (readonly [written: string, key: string, found: string, allowed: string])[] = [
  ['description: [a, b]', 'description', 'a list of 2', 'text'],
  ['usage: { a: 1 }', 'usage', 'an object', 'text'],
  ['models: [1]', 'models', 'a list of 1', list],
  ['models: { openai: gpt-5 }', 'models', 'an object', list],
  ['agents: 7', 'agents', '7', list],
  ['tools: true', 'tools', 'true', list],
  ['tools: git hub', 'tools', '"git hub"', tools],
  ['tools: [github, "!!x"]', 'tools', '"!!x"', tools],
  ['tools: other:thing', 'tools', '"other:thing"', tools],
  ['router: { destinations: 7 }', 'router.destinations', '7', list],
  ['handoff: { to: a.ai }', 'handoff', 'an object', list],
  ['input: json', 'input', '"json"', contract],
  ['input: { format: markdown }', 'input.format', '"markdown"', 'one of text, json'],
  ['input: { format: [json] }', 'input.format', 'a list of 1', 'one of text, json'],
  ['output: { format: xml }', 'output.format', '"xml"', 'one of text, markdown, json'],
  ['output: { schema: 7 }', 'output.schema', '7', schema],
  ['output: { schema: [a] }', 'output.schema', 'a list of 1', schema],
  ['output: { schema: "{ broken" }', 'output.schema', '"{ broken"', schema],
  ['output: { schemaRef: [a] }', 'output.schemaRef', 'a list of 1', 'text'],
  [
    'toolOutput: on',
    'toolOutput',
    '"on"',
    'an object with any of enabled, maxChunks, overlapPercent, avgLineBytesThreshold, models, storeDir',
  ],
  ['toolOutput: { enabled: maybe }', 'toolOutput.enabled', '"maybe"', 'true or false'],
  ['toolOutput: { overlapPercent: 51 }', 'toolOutput.overlapPercent', '51', 'a number from 0 to 50'],
  ['llmTimeout: soon', 'llmTimeout', '"soon"', time],
  ['llmTimeout: 0', 'llmTimeout', '0', time],
  ['llmTimeout: 0.4ms', 'llmTimeout', '"0.4ms"', time],
  ['llmTimeout: -5s', 'llmTimeout', '"-5s"', time],
  ['toolTimeout: 5 parsecs', 'toolTimeout', '"5 parsecs"', time],
  ['toolTimeout: 5 constructor', 'toolTimeout', '"5 constructor"', time],
  ['toolTimeout: [5s]', 'toolTimeout', 'a list of 1', time],
  ['budget: { time: true }', 'budget.time', 'true', time],
  ['cache: on', 'cache', '"on"', 'off, or a time such as 10m or 1d'],
  ['cache: [off]', 'cache', 'a list of 1', 'off, or a time such as 10m or 1d'],
  ['caching: some', 'caching', '"some"', 'one of full, none'],
  ['toolResponseMaxBytes: 255', 'toolResponseMaxBytes', '255', 'a whole number from 256'],
  ['temperature: 2.1', 'temperature', '2.1', `a number from 0 to 2, ${unset}`],
  ['temperature: -0.1', 'temperature', '-0.1', `a number from 0 to 2, ${unset}`],
  ['temperature: ""', 'temperature', '""', `a number from 0 to 2, ${unset}`],
  ['topP: 1.01', 'topP', '1.01', `a number from 0 to 1, ${unset}`],
  ['topK: 0', 'topK', '0', `a whole number from 1, ${unset}`],
  ['topK: 1.5', 'topK', '1.5', `a whole number from 1, ${unset}`],
  ['topK: [none]', 'topK', 'a list of 1', `a whole number from 1, ${unset}`],
  ['repeatPenalty: -1', 'repeatPenalty', '-1', `a number from 0, ${unset}`],
  ['maxOutputTokens: none', 'maxOutputTokens', '"none"', 'a whole number from 1'],
  ['maxTurns: 0', 'maxTurns', '0', 'a whole number from 1'],
  ['maxTurns: "7 turns"', 'maxTurns', '"7 turns"', 'a whole number from 1'],
  ['maxTurns: 1e400', 'maxTurns', 'Infinity', 'a whole number from 1'],
  ['maxTurns: .nan', 'maxTurns', 'NaN', 'a whole number from 1'],
  ['maxTurns: 0x', 'maxTurns', '"0x"', 'a whole number from 1'],
  ['maxTurns: true', 'maxTurns', 'true', 'a whole number from 1'],
  ['maxRetries: 1.5', 'maxRetries', '1.5', 'a whole number from 1'],
  ['maxToolCallsPerTurn: {}', 'maxToolCallsPerTurn', 'an object', 'a whole number from 1'],
  ['maxDepth: -1', 'maxDepth', '-1', 'a whole number from 0'],
  ['maxParallel: 9007199254740993', 'maxParallel', '9007199254740992', 'a whole number from 1'],
  ['reasoning: hard', 'reasoning', '"hard"', level],
  ['reasoning: [high]', 'reasoning', 'a list of 1', level],
  ['reasoning: constructor', 'reasoning', '"constructor"', level],
  ['reasoningTokens: -1', 'reasoningTokens', '-1', tokens],
  ['reasoningTokens: many', 'reasoningTokens', '"many"', tokens],
  ['ask: anybody', 'ask', '"anybody"', 'one of caller, person'],
  ['hold: tight', 'hold', '"tight"', held],
  ['hold: { pool: 0 }', 'hold', '{"pool":0}', held],
  ['hold: { pool: 2, size: 3 }', 'hold', '{"pool":2,"size":3}', held],
  ['hold: ["pool:4"]', 'hold', '["pool:4"]', held],
  ['workspace: perhaps', 'workspace', '"perhaps"', 'true or false'],
  ['permissions: none', 'permissions', '"none"', 'an object with any of allow, ask, deny'],
  ['permissions: { deny: ["fs/*"] }', 'permissions.deny', '"fs/*"', offered],
  ['permissions: { allow: "fs__*, !drop" }', 'permissions.allow', '"!drop"', offered],
  [
    'permissions: { ask: { a: 1 } }',
    'permissions.ask',
    'an object',
    'a list of names, or names with commas between them',
  ],
  [
    'limits: 7',
    'limits',
    '7',
    'an object with any of maxTurns, maxToolCallsPerTurn, maxParallel, maxDepth, maxRetries, llmTimeout, toolTimeout, toolResponseMaxBytes, maxToolTurns, parallelToolCalls',
  ],
  ['limits: { maxTurns: no }', 'limits.maxTurns', '"no"', 'a whole number from 1'],
  ['limits: { maxToolTurns: -1 }', 'limits.maxToolTurns', '-1', 'a whole number from 0'],
  ['limits: { parallelToolCalls: 2 }', 'limits.parallelToolCalls', '2', 'true or false'],
  ['budget: lots', 'budget', '"lots"', 'an object with any of tokens, costUsd, time, turns, toolCalls, descendants'],
  ['budget: { tokens: 1.5 }', 'budget.tokens', '1.5', 'a whole number from 0'],
  ['budget: { costUsd: free }', 'budget.costUsd', '"free"', 'a number from 0'],
  ['hints: 2', 'hints', '2', 'an object with any of parallel'],
  ['hints: { parallel: 0 }', 'hints.parallel', '0', 'a whole number from 1'],
];

test.each(wrongs)('%s', async (written, key, found, allowed) => {
  const file = `---\nmaxTurns: 5\n\n${written}\n---\nYou are helpful.\n`.replace(/maxTurns: 5\n\n(?=maxTurns)/, '\n\n');
  const { problems, agents } = await loadFiles({ 'desk.ai': file }, ['desk.ai']);
  const message = `found ${found}; must be ${allowed}`;
  expect(problems.map((one) => toLine(one))).toEqual([`desk.ai:4: error: ${key}: ${message}`]);
  expect(problems[0]).toMatchObject({ code: 'key-invalid', remedy: expect.stringMatching(/./) });
  expect(agents).toEqual([]);
});

test('inside an object, the line is that of the part', async () => {
  const file = '---\nbudget:\n  tokens: 5\n  # more\n  time: soon\noutput:\n  format: json\n\n  schema: 7\n---\nHi.\n';
  const { problems } = await loadFiles({ 'desk.ai': file }, ['desk.ai']);
  expect(problems.map(({ line, key }) => [line, key])).toEqual([
    [5, 'budget.time'],
    [9, 'output.schema'],
  ]);
});

test('lines are counted from the top of the file, shebang and CR LF included', async () => {
  const file = '\uFEFF#!/usr/bin/env ai-agent\r\n---\r\nmodels: openai/gpt-5\r\nmaxTurns: no\r\n---\r\nHi.\r\n';
  const { problems } = await loadFiles({ 'desk.ai': file }, ['desk.ai']);
  expect(problems.map(({ line, key }) => [line, key])).toEqual([[4, 'maxTurns']]);
});

test('a long value is shown short', async () => {
  const { problems } = await loadFiles({ 'desk.ai': agentFile(`maxTurns: ${'x'.repeat(500)}`) }, ['desk.ai']);
  expect(problems[0]?.message).toBe(`found "${'x'.repeat(56)}…"; must be a whole number from 1`);
});

test.each([
  ['maxTurns: 5\nmaxTurns: 6', 3, /unique/i],
  ['description: "no end', 3, /quote/i],
  ['- a\n- b', 2, /is not a list of keys, each with a colon and a value/],
  ['just words', 2, /is not a list of keys, each with a colon and a value/],
  ['a: &x [*x]\nb: 1', 2, /./],
])('frontmatter that is no set of keys: %s', async (written, line, message) => {
  const { problems, agents } = await loadFiles({ 'desk.ai': `---\n${written}\n---\nHi.\n` }, ['desk.ai']);
  expect(problems[0]).toMatchObject({
    code: 'frontmatter-invalid',
    severity: 'error',
    file: 'desk.ai',
    line: expect.toSatisfy((told: number) => Math.abs(told - line) <= 1),
    message: expect.stringMatching(message),
  });
  expect(agents).toEqual([]);
});

test.each([
  [
    'tools: [github, !github__delete_*]',
    'Unresolved tag: !github__delete_*; a text that begins with ! or * needs quotes',
  ],
  ['tools:\n  - !github', 'Unresolved tag: !github; a text that begins with ! or * needs quotes'],
  ['agents: [*.ai]', 'Unresolved alias: *.ai; a text that begins with ! or * needs quotes'],
])('what YAML takes for its own is not dropped: %s', async (written, message) => {
  const { problems, agents } = await loadFiles({ 'desk.ai': agentFile(written) }, ['desk.ai']);
  const line = written.includes('\n') ? 4 : 3;
  expect(problems).toMatchObject([{ code: 'frontmatter-invalid', severity: 'error', file: 'desk.ai', line, message }]);
  expect(agents).toEqual([]);
});

test('frontmatter that is never closed', async () => {
  const { problems } = await loadFiles({ 'desk.ai': '---\nmaxTurns: 5\nHi.\n' }, ['desk.ai']);
  expect(problems.map((one) => toLine(one))).toEqual([
    'desk.ai:1: error: is opened with --- and never closed; close it with another ---',
  ]);
});

test('a contract that cannot be: a schema twice, a schema for a text, a schema that is none', async () => {
  const said = async (written: string, files: Record<string, string> = {}) => {
    const { problems } = await loadFiles({ 'desk.ai': agentFile(written), ...files }, ['desk.ai']);
    return problems.map(({ code, line, key, message }) => `${code} ${line} ${key}: ${message}`);
  };
  expect(await said('output: { schema: { type: object }, schemaRef: a.json }', { 'a.json': '{}' })).toEqual([
    'key-conflict 3 output: has both schema and schemaRef; keep one',
  ]);
  expect(await said('input: { format: text, schema: { type: object } }')).toEqual([
    'key-conflict 3 input: has a schema, and format text; a schema needs format json',
  ]);
  expect(await said('output: { schemaRef: a.json }', { 'a.json': '[1]' })).toEqual([
    'schema-invalid 3 output: a.json is no JSON Schema: it is not an object',
  ]);
  expect(await said('output: { schemaRef: a.json }', { 'a.json': '{ "a": ' })).toEqual([
    expect.stringMatching(/^schema-invalid 3 output: a\.json is no JSON Schema: .* \(line 1\)$/),
  ]);
});
