// Configuration of an agent, nearest first: --config, its own folder, the nearest trusted folder above it, the current
// folder, home, system.

import { lstatSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigFiles } from '../src/config/config-file.ts';
import { openConfiguration } from '../src/config/configuration.ts';
import { configFolders } from '../src/config/layers.ts';
import { Problems } from '../src/problem.ts';
import { childFile, loadFiles, writeFiles } from './support/world.ts';

const house = (baseUrl: string) => ({ providers: { house: { baseUrl } } });

test('each layer gives way to the nearer one', () => {
  const folder = writeFiles({
    'named.json': house('named'),
    'team/kids/.ai-agent.json': house('own'),
    'team/.ai-agent.json': house('above'),
    '.ai-agent.json': house('further above'),
    'cwd/.ai-agent.json': house('cwd'),
    'home/.ai-agent/ai-agent.json': house('home'),
    'etc/ai-agent.json': house('system'),
  });
  const places = {
    configFile: '../named.json',
    cwd: join(folder, 'cwd'),
    agentFolder: join(folder, 'team/kids'),
    homeFolder: join(folder, 'home'),
    systemFolder: join(folder, 'etc'),
    environment: {},
  };
  const { layers } = openConfiguration(places, new ConfigFiles(new Problems()));
  expect(layers.map(({ label, file }) => [label, file.slice(folder.length + 1)])).toEqual([
    ['--config', 'named.json'],
    ["agent's folder", 'team/kids/.ai-agent.json'],
    ["above the agent's folder", 'team/.ai-agent.json'],
    ['current folder', 'cwd/.ai-agent.json'],
    ['home', 'home/.ai-agent/ai-agent.json'],
    ['system', 'etc/ai-agent.json'],
  ]);
});

test('a sub-agent has the value of its own folder, then that of its team, then that of the current folder', async () => {
  const { agents } = await loadFiles(
    {
      '.ai-agent.json': { defaults: { maxTurns: 9, maxRetries: 9, temperature: 0.9 } },
      'team/.ai-agent.json': { defaults: { maxTurns: 5, maxRetries: 5 } },
      'team/kids/.ai-agent.json': { defaults: { maxTurns: 2 } },
      'team/lead.ai': childFile('agents: kids/kid.ai'),
      'team/kids/kid.ai': childFile(),
    },
    ['team/lead.ai'],
  );
  const said = (key: string) => [agents[0], agents[0]?.children[0]].map((one) => one?.effective.said(key)?.value);
  expect(said('maxTurns')).toEqual([5, 2]);
  expect(said('maxRetries')).toEqual([5, 5]);
  expect(said('temperature')).toEqual([0.9, 0.9]);
});

test('a check names what the current folder no longer decides, and both files', async () => {
  const files = {
    '.ai-agent.json': {
      defaults: { maxTurns: 9, maxRetries: 2, temperature: 0.5 },
      mcpServers: { github: { url: 'http://here/' }, same: { url: 'http://same/' } },
      pricing: { fake: {} },
      api: { port: 8081 },
    },
    '.ai-agent.env': 'OPENAI_API_KEY=of-the-current-folder\nALIKE=x\n',
    'team/.ai-agent.json': {
      defaults: { maxTurns: 3, maxRetries: 2 },
      mcpServers: { github: { url: 'http://team/' }, same: { url: 'http://same/' } },
      pricing: { fake: { m: {} } },
      api: { port: 8082 },
    },
    'team/.ai-agent.env': 'OPENAI_API_KEY=of-the-team\nALIKE=x\n',
    'team/kid.ai': childFile('usage: x\noutput: { format: text }'),
  };
  const { problems } = await loadFiles(files, ['team/kid.ai'], { purpose: 'check', env: {} });
  const told = problems.filter(({ code }) => code === 'key-conflict');
  expect(told.map(({ severity, file, key }) => [severity, file, key])).toEqual([
    ['warning', 'team/.ai-agent.json', 'defaults.maxTurns'],
    ['warning', 'team/.ai-agent.json', 'mcpServers.github'],
    ['warning', 'team/.ai-agent.json', 'pricing'],
    ['warning', 'team/.ai-agent.env', 'OPENAI_API_KEY'],
  ]);
  expect(told[0]?.line).toBe(3);
  for (const { file, message } of told)
    expect(message).toContain(file.endsWith('.env') ? '.ai-agent.env' : '.ai-agent.json');
  expect(told[0]?.message).toMatch(/overrides the different one in \.ai-agent\.json.*farther/);
  expect(JSON.stringify(told)).not.toContain('of-the-');
  const run = await loadFiles(files, ['team/kid.ai'], { env: {} });
  expect(run.problems).toEqual([]);
});

test('a value that --config decides is no conflict', async () => {
  const files = {
    'named.json': { defaults: { maxTurns: 1 } },
    '.ai-agent.json': { defaults: { maxTurns: 9 } },
    'team/.ai-agent.json': { defaults: { maxTurns: 3 } },
    'team/kid.ai': childFile('usage: x\noutput: { format: text }'),
  };
  const { problems } = await loadFiles(files, ['team/kid.ai'], { purpose: 'check', configFile: 'named.json' });
  expect(problems).toEqual([]);
});

test('above the agent only files of trusted owners are read, links and variables included', () => {
  const folder = writeFiles({ 'top/team/a.ai': '', 'top/.ai-agent.json': {}, '.ai-agent.json': {} });
  const team = join(folder, 'top/team');
  const own = lstatSync(team).uid;
  const ownedBy = (strangers: readonly string[]) => (path: string) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && (strangers.includes(path) ? 12345 : stats.uid);
  };
  const found = (...strangers: readonly string[]) => [...configFolders(team, ownedBy(strangers))];
  expect(own).not.toBe(12345);
  expect(found()).toEqual([join(folder, 'top'), folder]);
  expect(found(join(folder, 'top/.ai-agent.json'))).toEqual([folder]);
  rmSync(join(folder, 'top/.ai-agent.json'));
  symlinkSync(join(folder, '.ai-agent.json'), join(folder, 'top/.ai-agent.json'));
  expect(found(join(folder, 'top/.ai-agent.json'))).toEqual([folder]);
  symlinkSync(join(folder, '.ai-agent.json'), join(folder, '.ai-agent.env'));
  expect(found(join(folder, '.ai-agent.env'))).toEqual([join(folder, 'top')]);
});
