// The promise: whatever is wrong with the keys of a server stops it, with file and line, and no key is ever shown.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApiSettings } from '../src/config/api-settings.ts';
import { hashOfKey } from '../src/config/hash-of-key.ts';
import { problemsOf, writeFolder } from './config-folders.ts';

const secret = 'open-sesame-open-sesame-1234';
const hash = hashOfKey(secret);

async function read(files: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) {
  const folder = await writeFolder({ 'cwd/.keep': '', ...files });
  const places = { cwd: join(folder, 'cwd'), homeFolder: join(folder, 'home'), env };
  const { settings, problems } = readApiSettings(places);
  const errors = problems.filter(({ severity }) => severity === 'error');
  return { folder, settings, problems, errors };
}

const withApi = (api: unknown) => ({ 'cwd/.ai-agent.json': { api } });

test.each<[string, unknown, string, RegExp]>([
  ['no keys in keys', { keys: {} }, 'api.keys', /is empty/],
  ['a list of keys', { keys: [secret] }, 'api.keys', /must be an object/],
  ['a key instead of an entry', { keys: { desk: secret } }, 'api.keys.desk', /must be an object with the hash/],
  ['a key instead of a hash', { keys: { desk: { hash: secret } } }, 'api.keys.desk.hash', /64 hexadecimal/],
  ['half a hash', { keys: { desk: { hash: hash.slice(0, 40) } } }, 'api.keys.desk.hash', /64 hexadecimal/],
  ['no hash', { keys: { desk: { agents: ['a'] } } }, 'api.keys.desk', /has no hash/],
  [
    'one hash for two',
    { keys: { a: { hash }, b: { hash: hash.toUpperCase().replace('SHA', 'sha') } } },
    'api.keys.b',
    /same hash as a/,
  ],
  ['a word spelt wrong', { keys: { desk: { hash, agent: ['a'] } } }, 'api.keys.desk.agent', /did you mean agents/],
  ['an amount spelt wrong', { keys: { desk: { hash, budget: { token: 1 } } } }, 'api.keys.desk.budget.token', /tokens/],
  ['no agents in agents', { keys: { desk: { hash, agents: [] } } }, 'api.keys.desk.agents', /is empty/],
  ['no runs a minute', { keys: { desk: { hash, requestsPerMinute: 0 } } }, 'api.keys.desk.requestsPerMinute', /from 1/],
  ['no run at once', { keys: { desk: { hash, concurrency: 0 } } }, 'api.keys.desk.concurrency', /from 1/],
  [
    'an allowance without an end',
    { keys: { desk: { hash, allowance: { tokens: 5 } } } },
    'api.keys.desk.allowance',
    /has no per/,
  ],
  [
    'an allowance of nothing',
    { keys: { desk: { hash, allowance: { per: 'day' } } } },
    'api.keys.desk.allowance',
    /bounds nothing/,
  ],
  ['a name with a space', { keys: { 'my desk': { hash } } }, 'api.keys.my desk', /the name must be/],
  ['no bearer keys', { bearerKeys: [] }, 'api.bearerKeys', /is empty/],
  ['a number as bearer key', { bearerKeys: [12345678] }, 'api.bearerKeys', /each a text/],
  ['an origin with a path', { cors: ['https://app.example/page'] }, 'api.cors', /a list of origins/],
  ['keys spelt wrong', { kyes: { desk: { hash } } }, 'api.kyes', /did you mean keys\?/],
  ['keys as one', { key: { desk: { hash } } }, 'api.key', /did you mean keys\?/],
  ['keys in capitals', { Keys: { desk: { hash } } }, 'api.Keys', /did you mean keys\?/],
  ['a word that nobody knows', { tls: true }, 'api.tls', /known are enabled, host/],
  ['text for the section', secret, 'api', /must be an object/],
])('%s: told by check, and an error of the server', async (_, api, key, words) => {
  const checked = await problemsOf(withApi(api));
  expect(checked).toMatchObject([{ severity: 'error', file: 'cwd/.ai-agent.json', key }]);
  expect(checked[0]?.message).toMatch(words);
  expect(checked[0]?.line).toBeGreaterThan(1);
  const { errors, problems } = await read(withApi(api));
  expect(errors.length).toBe(1);
  expect(JSON.stringify(problems)).not.toContain(secret);
});

test.each([
  ['Api', /did you mean api\?/],
  ['apis', /did you mean api\?/],
  ['aip', /did you mean api\?/],
  ['keys', /keys of a server stand in api/],
  ['kyes', /keys of a server stand in api/],
  ['bearerKeys', /keys of a server stand in api/],
])('%s at the top: a warning of a check, and an error of the server', async (key, words) => {
  const files = { 'cwd/.ai-agent.json': { [key]: { keys: { desk: { hash } } } } };
  expect(await problemsOf(files)).toMatchObject([{ severity: 'warning', code: 'key-unknown', key }]);
  const { errors } = await read(files);
  expect(errors).toMatchObject([{ code: 'key-unknown', key, line: 2, message: expect.stringMatching(words) }]);
});

test('other words at the top stay warnings', async () => {
  const { errors, problems } = await read({ 'cwd/.ai-agent.json': { theme: {}, deps: {}, keyboard: {} } });
  expect([errors, problems.map(({ severity }) => severity)]).toEqual([[], ['warning', 'warning', 'warning']]);
});

test.each([['keys'], ['bearerKeys']])('%s of null', async (word) => {
  const { errors } = await read(withApi({ [word]: null }));
  expect(errors).toMatchObject([{ key: `api.${word}`, message: expect.stringContaining('is null') }]);
});

test.each([
  ['a word of the section', { api: { key: { desk: { hash } } } }, 'api.key'],
  ['the section itself', { Api: { keys: { desk: { hash } } } }, 'Api'],
])('%s, spelt wrong, is no server without keys', async (_, config, key) => {
  const { errors } = await read({ 'cwd/.ai-agent.json': config });
  expect(errors).toMatchObject([{ code: 'key-unknown', key, message: expect.stringContaining('did you mean') }]);
});

test('a word that nobody knows is an error beside keys too: it may be a limit of theirs', async () => {
  const { errors } = await read(withApi({ concurency: 4, keys: { desk: { hash } } }));
  expect(errors).toMatchObject([{ key: 'api.concurency', message: expect.stringContaining('concurrency') }]);
});

test('a name that no table can hold is told', async () => {
  const { errors } = await read({
    'cwd/.ai-agent.json': `{ "api": { "keys": { "__proto__": { "hash": "${hash}" } } } }`,
  });
  expect(errors).toMatchObject([{ message: expect.stringContaining('the name must be') }]);
});

test('every origin is for those who have keys', async () => {
  expect((await read(withApi({ cors: ['*'] }))).errors).toMatchObject([{ key: 'api.cors' }]);
  expect((await read(withApi({ cors: ['*'], keys: { desk: { hash } } }))).errors).toEqual([]);
});

test('a file that is no JSON, or that may not be read', async () => {
  expect((await read({ 'cwd/.ai-agent.json': '{ "api": { "keys": ' })).errors.length).toBe(1);
  const folder = await writeFolder({ 'cwd/.ai-agent.json/inside': 'a folder cannot be read as a file' });
  const { settings, problems } = readApiSettings({ cwd: join(folder, 'cwd'), env: {} });
  expect(settings).toEqual({});
  expect(problems).toMatchObject([{ severity: 'error', code: 'config-invalid' }]);
});

test('a section without keys does not hide one with keys', async () => {
  const files = { ...withApi({ port: 1 }), 'home/.ai-agent/ai-agent.json': { api: { keys: { desk: { hash } } } } };
  const { errors } = await read(files);
  expect(errors).toMatchObject([{ code: 'key-conflict', key: 'api', line: 2 }]);
});

test('agents of two folders with two set-ups are not served by one', async () => {
  const folder = await writeFolder({
    'cwd/.keep': '',
    'a/.ai-agent.json': { api: { keys: { desk: { hash } } } },
    'b/.ai-agent.json': { api: { port: 1 } },
  });
  const places = { cwd: join(folder, 'cwd'), env: {} };
  const both = readApiSettings(places, [join(folder, 'a'), join(folder, 'b')]);
  expect(both.problems).toMatchObject([{ severity: 'error', code: 'key-conflict' }]);
  const one = readApiSettings(places, [join(folder, 'a')]);
  expect([one.problems, one.settings.keys]).toEqual([[], { desk: { hash } }]);
});

test('a variable that nobody defines, and one that holds what does not fit', async () => {
  const api = { port: `\${PORT}`, keys: { desk: { hash: `\${DESK_HASH}` } } };
  const missing = await read(withApi(api), { PORT: '8080' });
  expect(missing.errors).toMatchObject([{ code: 'secret-missing', message: expect.stringContaining('DESK_HASH') }]);
  const wrong = await read(withApi(api), { PORT: secret, DESK_HASH: secret });
  expect(wrong.errors.map(({ key, line }) => [key, line])).toEqual([
    ['api.port', 3],
    ['api.keys.desk.hash', 6],
  ]);
  expect(JSON.stringify(wrong.problems)).not.toContain(secret);
  const right = await read(withApi(api), { PORT: '8080', DESK_HASH: hash });
  expect([right.errors, right.settings]).toEqual([[], { port: 8080, keys: { desk: { hash } } }]);
});

test('keys of older configurations come in as hashes, with a warning; one key has one name', async () => {
  const { settings, problems } = await read(withApi({ bearerKeys: `\${KEYS}, third-key` }), {
    KEYS: `${secret},second-key`,
  });
  expect(Object.keys(settings.keys ?? {})).toEqual(['bearer-1', 'bearer-2', 'bearer-3']);
  expect(settings.keys?.['bearer-1']).toEqual({ hash });
  expect(problems).toMatchObject([
    { severity: 'warning', key: 'api.bearerKeys', remedy: expect.stringContaining('ai-agent key') },
  ]);
  expect(JSON.stringify([settings, problems])).not.toContain(secret);
  const elsewhere = await read(withApi({ bearerKeys: [`\${KEY}`] }), { KEY: secret });
  expect([elsewhere.problems, elsewhere.settings.keys]).toEqual([[], { 'bearer-1': { hash } }]);
  const twice = await read(withApi({ bearerKeys: [secret], keys: { desk: { hash } } }));
  expect(twice.errors).toMatchObject([{ code: 'key-conflict', key: 'api.bearerKeys' }]);
  const sameName = await read(withApi({ bearerKeys: ['another-key'], keys: { 'bearer-1': { hash } } }));
  expect(sameName.errors).toMatchObject([{ code: 'key-conflict', key: 'api.bearerKeys' }]);
});

test('what may be said of a key', async () => {
  const key = {
    hash,
    agents: 'desk, support.*',
    budget: { tokens: 1000, time: '2m' },
    allowance: { costUsd: 5, per: 'month' },
    requestsPerMinute: 60,
    concurrency: 2,
  };
  const { settings, problems } = await read(withApi({ graceMs: 0, mcpPrompts: false, keys: { desk: key } }));
  expect(problems).toEqual([]);
  const understood = { ...key, agents: ['desk', 'support.*'], budget: { tokens: 1000, timeMs: 120_000 } };
  expect(settings).toEqual({ graceMs: 0, mcpPrompts: false, keys: { desk: understood } });
});
