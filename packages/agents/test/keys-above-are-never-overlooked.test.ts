// The promise: a server without keys does not start where a configuration around it has some, whether that file is read or not.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readApiSettings } from '../src/config/api-settings.ts';
import { hashOfKey } from '../src/config/hash-of-key.ts';
import { writeFolder } from './config-folders.ts';

const withKeys = { api: { keys: { desk: { hash: hashOfKey('a-key-of-the-top-1234') } } } };

/** What is said of the server of agents in `top/team/a`, started in `start`. */
async function read(files: Readonly<Record<string, unknown>>, start = 'elsewhere', configFile?: string) {
  const folder = await writeFolder({ 'top/team/a/.keep': '', 'elsewhere/.keep': '', ...files });
  const config = configFile === undefined ? {} : { configFile: join(folder, configFile) };
  const places = { cwd: join(folder, start), env: {}, ...config };
  const { settings, problems } = readApiSettings(places, [join(folder, 'top/team/a')]);
  const told = problems.map(({ file, ...one }) => ({ ...one, file: file.slice(folder.length + 1) }));
  return { keys: Object.keys(settings.keys ?? {}), told, folder };
}

test('the nearest above is read, whether the folder of the agent has a configuration or not', async () => {
  const above = { 'top/.ai-agent.json': withKeys };
  expect(await read(above)).toMatchObject({ keys: ['desk'], told: [] });
  const own = { 'top/team/a/.ai-agent.json': { defaults: {} } };
  expect(await read({ ...above, ...own })).toMatchObject({ keys: ['desk'], told: [] });
});

test('a section without keys does not hide those of the nearest above', async () => {
  const own = { 'top/team/a/.ai-agent.json': { api: { port: 1 } } };
  const { keys, told } = await read({ 'top/.ai-agent.json': withKeys, ...own });
  expect(keys).toEqual([]);
  const place = { severity: 'error', code: 'key-conflict', file: 'top/team/a/.ai-agent.json', key: 'api' };
  expect(told).toMatchObject([place]);
});

test.each([
  ['a folder between', 'top/team/.ai-agent.json', { defaults: {} }],
  ['a section without keys between', 'top/team/.ai-agent.json', { api: { port: 1 } }],
])('keys above do not vanish behind %s', async (_, file, config) => {
  const { keys, told, folder } = await read({ 'top/.ai-agent.json': withKeys, [file]: config });
  expect(keys).toEqual([]);
  const place = { severity: 'error', code: 'key-conflict', file: 'top/.ai-agent.json', key: 'api', line: 2 };
  expect(told).toMatchObject([place]);
  expect(told[0]?.remedy).toContain(`--config ${join(folder, 'top/.ai-agent.json')}`);
});

test('what lies above the current folder counts too', async () => {
  const files = { 'elsewhere/.ai-agent.json': withKeys, 'elsewhere/here/.ai-agent.json': {} };
  const { told } = await read(files, 'elsewhere/here');
  expect(told).toMatchObject([{ severity: 'error', file: 'elsewhere/.ai-agent.json' }]);
  const without = await read(
    { ...files, 'elsewhere/here/.ai-agent.json': '', 'elsewhere/there/.keep': '' },
    'elsewhere/there',
  );
  expect(without.told).toMatchObject([{ severity: 'error', file: 'elsewhere/.ai-agent.json' }]);
});

test('a file above that cannot be understood may be the one with the keys', async () => {
  const files = { 'top/.ai-agent.json': '{ "api": { "keys": ', 'top/team/a/.ai-agent.json': {} };
  expect((await read(files)).told).toMatchObject([{ severity: 'error', file: 'top/.ai-agent.json' }]);
});

test('where there are keys, or the file is named, nothing is in the way', async () => {
  const files = { 'top/.ai-agent.json': withKeys, 'top/team/a/.ai-agent.json': {} };
  expect(await read(files, 'elsewhere', 'top/.ai-agent.json')).toMatchObject({ keys: ['desk'], told: [] });
  const current = { ...files, 'elsewhere/.ai-agent.json': withKeys, 'top/team/a/.ai-agent.json': { api: { port: 1 } } };
  expect(await read(current)).toMatchObject({ keys: ['desk'], told: [] });
});
