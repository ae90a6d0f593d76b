// A value of a kind that its key does not take is an error that says where; so is a file that is no JSON.

import { expect, test } from 'vitest';
import { openConfiguration } from '../src/config/configuration.ts';
import { openFolder, problemsOf } from './config-folders.ts';

const file = 'cwd/.ai-agent.json';

const anAge = 'a time with its unit, such as 12h, 30d or 1y (s, m, h, d, w, mo, y)';

/** The wrong value stands on line 4. */
const wrong: readonly [string, string, unknown, string][] = [
  ['providers.openai', 'providers', { openai: 'sk-secret' }, 'found text; must be an object'],
  ['mcpServers.a', 'mcpServers', { a: ['sk-secret'] }, 'found a list; must be an object'],
  ['mcpServers.a b', 'mcpServers', { 'a b': {} }, 'the name must be letters, digits, _ and - alone'],
  ['restTools.a', 'restTools', { a: 3 }, 'found a number; must be an object'],
  ['openapiSpecs.a', 'openapiSpecs', { a: true }, 'found a boolean; must be an object'],
  ['queues.a', 'queues', { a: 3 }, 'found a number; must be an object'],
  ['accounting.file', 'accounting', { file: ['x'] }, 'found a list; must be text'],
  ['pricing.openai', 'pricing', { openai: 3 }, 'found a number; must be an object'],
  ['telemetry.enabled', 'telemetry', { enabled: 'perhaps' }, 'found "perhaps"; must be true or false'],
  ['telemetry.otlp', 'telemetry', { otlp: 'http://user:sk-secret@x' }, 'found text; must be an object'],
  ['cache.backend', 'cache', { backend: 'files' }, 'found "files"; must be one of sqlite, redis'],
  ['cache.backend', 'cache', { backend: ['redis'] }, 'found a list; must be one of sqlite, redis'],
  ['toolOutput.overlapPercent', 'toolOutput', { overlapPercent: 51 }, 'found 51; must be a number from 0 to 50'],
  ['slack.botToken', 'slack', { botToken: { a: 'sk-secret' } }, 'found an object; must be text'],
  ['api.port', 'api', { port: 70000 }, 'found 70000; must be a whole number from 0 to 65535'],
  ['embed.page', 'embed', { page: 'x' }, 'found text; must be an object'],
  // What it deletes is gone: 30 could be days.
  ['store.maxAge', 'store', { maxAge: 30 }, `found 30; must be ${anAge}`],
  ['store.maxAge', 'store', { maxAge: '30' }, `found "30"; must be ${anAge}`],
  [
    'store.url',
    'store',
    { url: 'mysql://user:sk-secret@x' },
    'must be an address that begins with postgres:// or postgresql://',
  ],
  ['includeRoots[0]', 'includeRoots', [{ a: 1 }], 'found an object; must be text'],
];

test.each(wrong)('%s', async (key, section, value, message) => {
  const text = `// first\n{\n  "${section}": ${JSON.stringify(value, null, 1)}\n}`;
  const problems = await problemsOf({ [file]: text });
  expect(problems).toMatchObject([{ severity: 'error', code: 'config-invalid', file, line: 4, key, message }]);
  expect(problems[0]?.remedy).toBe('Correct .ai-agent.json; the message says where.');
});

test.each([
  ['providers', 'sk-secret', 'found text; must be an object'],
  ['mcpServers', [], 'found a list; must be an object'],
  ['defaults', 3, 'found a number; must be an object'],
  ['persistence', true, 'found a boolean; must be an object'],
  ['agents', 3, 'found 3; must be a list of names, or names with commas between them'],
  ['includeRoots', 'a', 'found text; must be a list'],
])('the section %s', async (key, value, message) => {
  const problems = await problemsOf({ [file]: `{\n\n"${key}": ${JSON.stringify(value)} }` });
  expect(problems).toMatchObject([{ code: 'config-invalid', file, line: 3, key, message }]);
});

const parts: readonly [string, unknown][] = [
  ['mcpServers.a.type', 'tcp'],
  ['mcpServers.a.command', { a: 1 }],
  ['mcpServers.a.command[1]', ['npx', {}]],
  ['mcpServers.a.args', '--token=sk-secret'],
  ['mcpServers.a.env', 'KEY=sk-secret'],
  ['mcpServers.a.env.KEY', ['sk-secret']],
  ['mcpServers.a.headers', 'Bearer sk-secret'],
  ['mcpServers.a.toolsCache.find', 'soon'],
  ['mcpServers.a.cache', -1],
  ['mcpServers.a.toolSchemas', 'x'],
  ['restTools.a.method', 'FETCH'],
  ['restTools.a.parametersSchema', '{}'],
  ['restTools.a.streaming.maxBytes', 0],
  ['openapiSpecs.a.includeMethods', { get: true }],
  ['queues.a.concurrent', 0],
  ['pricing.openai.gpt.prompt', 'cheap'],
  ['telemetry.traces.ratio', 2],
  ['telemetry.logging.formats', ['xml']],
  ['slack.routing.rules[0].engage', ['shouts']],
  ['slack.routing.deny[0]', ['sk-secret']],
  ['embed.page.auth.signedTokens.ttlSeconds', 'x'],
];

test.each(parts)('deep in a section: %s', async (key, value) => {
  const problems = await problemsOf({ [file]: at(key, value) });
  expect(problems).toMatchObject([{ severity: 'error', code: 'config-invalid', file, key }]);
  expect(problems[0]?.line).toBeGreaterThan(2);
  expect(JSON.stringify(problems)).not.toContain('sk-secret');
});

/** Builds `{ a: [ { b: value } ] }` of `a[0].b`; a list that ends the key is given whole. */
function at(key: string, value: unknown): unknown {
  if (key.endsWith('command[1]')) return at('mcpServers.a.command', value);
  return key
    .split('.')
    .reduceRight((held, name) => (name.endsWith('[0]') ? { [name.slice(0, -3)]: [held] } : { [name]: held }), value);
}

test('a file that is no JSON is told once, with its line, and the other layers count', async () => {
  const { configuration, problems, places, files } = await openFolder({
    [file]: '{\n  "providers": {\n    "a": { "apiKey": sk-secret },\n  }\n}',
    'agent/.ai-agent.json': { providers: { a: { baseUrl: 'x' } } },
  });
  openConfiguration(places, files).check(problems);
  configuration.check(problems);
  expect(problems.all).toMatchObject([{ severity: 'error', code: 'config-invalid', line: 3 }]);
  expect(problems.all[0]?.message).toMatch(/^is not JSON: /);
  expect(JSON.stringify(problems.all)).not.toContain('sk-secret');
  expect(configuration.entry('providers', 'a')?.value).toEqual({ baseUrl: 'x' });
});

test.each([
  ['empty', '', 'is not JSON'],
  ['a list', '[]', 'found a list; must be an object'],
  ['null', 'null', 'must be an object'],
])('a file that is %s is an error', async (_, text, message) => {
  const [problem, ...more] = await problemsOf({ [file]: text });
  expect(problem).toMatchObject({ severity: 'error', code: 'config-invalid', line: 1 });
  expect(problem?.message).toContain(message);
  expect(more).toEqual([]);
});

test('each file is told of once in a load, however many agents it concerns', async () => {
  const { configuration, problems, places, files } = await openFolder({
    [file]: { api: { port: 'x' } },
    'other/.ai-agent.json': { api: { port: 'y' } },
  });
  configuration.check(problems);
  configuration.check(problems);
  const other = openConfiguration({ ...places, agentFolder: '../other' }, files);
  other.check(problems);
  expect(problems.all.map(({ message }) => message.slice(0, 9))).toEqual(['found "x"', 'found "y"']);
});
