// Layers stand in one order; an entry is the whole object of the highest one that has its variables.

import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigFiles } from '../src/config/config-file.ts';
import { openConfiguration } from '../src/config/configuration.ts';
import { Problems } from '../src/problem.ts';
import { openFolder, writeFolder } from './config-folders.ts';

const house = (baseUrl: string, more = {}) => ({ providers: { house: { baseUrl, ...more } } });

const everywhere = {
  'named/my.json': house('named'),
  'agent/.ai-agent.json': house('agent'),
  'cwd/.ai-agent.json': house('cwd'),
  'home/.ai-agent/ai-agent.json': house('home'),
  'etc/ai-agent.json': house('etc'),
};

test('layers stand in their order, and each is asked when those above are not there', async () => {
  const remaining = Object.entries(everywhere);
  const labels = ['--config', "agent's folder", 'current folder', 'home', 'system'];
  for (const expected of ['named', 'agent', 'cwd', 'home', 'etc']) {
    const named = expected === 'named' ? { configFile: '../named/my.json' } : {};
    const { configuration, folder } = await openFolder(Object.fromEntries(remaining), named);
    const [[path = ''] = []] = remaining;
    expect(configuration.layers.map(({ label }) => label)).toEqual(labels);
    expect(configuration.entry('providers', 'house')).toMatchObject({
      value: { baseUrl: expected },
      file: join(folder, path),
      line: 3,
    });
    remaining.shift();
    labels.shift();
  }
});

test('objects are not merged', async () => {
  const { configuration } = await openFolder({
    'agent/.ai-agent.json': house('agent', { models: { a: {} } }),
    'cwd/.ai-agent.json': house('cwd', { apiKey: 'x', models: { b: {} } }),
  });
  expect(configuration.entry('providers', 'house')?.value).toEqual({ baseUrl: 'agent', models: { a: {} } });
});

test.each(['providers', 'mcpServers', 'restTools', 'openapiSpecs'] as const)(
  'an entry of %s is looked for by its own name, in all layers',
  async (section) => {
    const { configuration } = await openFolder({
      'cwd/.ai-agent.json': { [section]: { a: { url: 'high' } } },
      'etc/ai-agent.json': { [section]: { a: { url: 'low' }, b: { url: 'low' } } },
    });
    expect(configuration.entry(section, 'a')?.value).toEqual({ url: 'high' });
    expect(configuration.entry(section, 'b')).toMatchObject({ section, name: 'b', value: { url: 'low' } });
    expect(configuration.entry(section, 'c')).toBeUndefined();
    expect(configuration.entry(section, 'constructor')).toBeUndefined();
    expect(configuration.names(section)).toEqual(['a', 'b']);
  },
);

test('variables are those of the layer, then those of the process; an empty one is none', async () => {
  const entry = house('x', { a: `\${A}`, b: `\${B}`, c: `\${C}` });
  const { configuration } = await openFolder(
    { 'cwd/.ai-agent.env': 'C=of another layer', 'agent/.ai-agent.json': entry, 'agent/.ai-agent.env': 'A=file\nB=' },
    { environment: { A: 'process', B: 'process', C: 'process', D: 'process' } },
  );
  expect(configuration.entry('providers', 'house')?.variables).toEqual({ A: 'file', B: 'process', C: 'process' });
});

test('a layer without its variables gives way to the next one that defines the entry', async () => {
  const files = {
    'agent/.ai-agent.json': house('agent', { apiKey: `\${HIGH} \${HIGHER}` }),
    'cwd/.ai-agent.json': house('cwd', { apiKey: `\${LOW}` }),
    'etc/ai-agent.json': house('etc', { apiKey: `\${LOWEST}` }),
  };
  const given = await openFolder(files, { environment: { LOWEST: 'x', HIGH: 'x' } });
  expect(given.configuration.entry('providers', 'house')).toMatchObject({ value: { baseUrl: 'etc' }, missing: [] });
  const none = await openFolder(files, { environment: { HIGH: 'x', HIGHER: '  ' } });
  expect(none.configuration.entry('providers', 'house')).toMatchObject({
    value: { baseUrl: 'agent' },
    variables: { HIGH: 'x' },
    missing: ['HIGHER'],
  });
});

test('what is no object gives way too; the check tells of it', async () => {
  const { configuration } = await openFolder({
    'agent/.ai-agent.json': { providers: { house: 'x' }, mcpServers: 'x', slack: 'x' },
    'cwd/.ai-agent.json': { ...house('cwd'), mcpServers: { a: { url: 'u' } }, slack: { dms: true } },
  });
  expect(configuration.entry('providers', 'house')?.value).toEqual({ baseUrl: 'cwd' });
  expect(configuration.entry('mcpServers', 'a')?.value).toEqual({ url: 'u' });
  expect(configuration.section('slack')?.value).toEqual({ dms: true });
});

test('a folder under two names is one layer', async () => {
  const folder = await writeFolder({ 'cwd/.ai-agent.json': house('cwd') });
  await symlink(join(folder, 'cwd'), join(folder, 'link'));
  const open = async (agentFolder: string, configFile?: string) => {
    const named = configFile === undefined ? {} : { configFile };
    const options = { cwd: join(folder, 'cwd'), agentFolder, environment: {}, ...named };
    const { layers } = openConfiguration(options, new ConfigFiles(new Problems()));
    return layers.map(({ label }) => label);
  };
  expect(await open(join(folder, 'cwd'))).toEqual(["agent's folder"]);
  expect(await open(join(folder, 'link'))).toEqual(["agent's folder"]);
  expect(await open('.')).toEqual(["agent's folder"]);
  expect(await open('.', '../link/.ai-agent.json')).toEqual(['--config']);
});

test('variables without a configuration are a layer; those beside a named file count for it', async () => {
  const { configuration } = await openFolder(
    {
      'named/my.json': house('named', { apiKey: `\${KEY}` }),
      'named/.ai-agent.env': 'KEY=beside the named file',
      'cwd/.ai-agent.env': 'ONLY=variables',
      'home/.ai-agent/ai-agent.env': 'ONLY=lower\nHOME_KEY=home',
      'etc/ai-agent.env': 'HOME_KEY=lower\nETC=',
    },
    { configFile: '../named/my.json', environment: { ETC: 'process', toString: undefined } },
  );
  expect(configuration.layers.map(({ label }) => label)).toEqual(['--config', 'current folder', 'home', 'system']);
  expect(configuration.entry('providers', 'house')?.variables).toEqual({ KEY: 'beside the named file' });
  expect(['ONLY', 'HOME_KEY', 'ETC', 'NOBODYS', 'valueOf'].map((name) => configuration.lookUp(name))).toEqual([
    'variables',
    'home',
    'process',
    undefined,
    undefined,
  ]);
});

test('a file that was named must be there, which is told once', async () => {
  const { problems, places, files, folder } = await openFolder({}, { configFile: 'gone.json' });
  openConfiguration(places, files);
  expect(problems.all).toMatchObject([
    { severity: 'error', code: 'file-missing', file: join(folder, 'cwd/gone.json') },
  ]);
  expect((await openFolder({})).problems.all).toEqual([]);
});

test('what is there and cannot be read is told', async () => {
  const folder = await writeFolder({});
  for (const name of ['.ai-agent.json', '.ai-agent.env']) await mkdir(join(folder, 'cwd', name), { recursive: true });
  const problems = new Problems();
  const places = { cwd: join(folder, 'cwd'), agentFolder: '.', environment: {} };
  openConfiguration(places, new ConfigFiles(problems));
  expect(problems.all).toMatchObject([
    { severity: 'warning', code: 'config-invalid' },
    { severity: 'warning', code: 'env-file-invalid' },
  ]);
  const named = new Problems();
  openConfiguration({ ...places, configFile: '.ai-agent.json' }, new ConfigFiles(named));
  expect(named.all).toContainEqual(expect.objectContaining({ severity: 'error', code: 'config-invalid' }));
});
