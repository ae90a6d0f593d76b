// Variables are looked for when somebody asks for the entry that names them; one that is needed is named.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeIn, tellMissing } from '../src/config/entry.ts';
import { openFolder } from './config-folders.ts';

const config = `{
  // Two providers, of which the shell knows one.
  "providers": {
    "anthropic": { "apiKey": "\${ANTHROPIC_API_KEY}" },
    "openai": {
      "apiKey": "\${OPENAI_API_KEY}",
      "headers": { "x-team": "\${TEAM}", "x-again": "\${OPENAI_API_KEY}" },
    },
  },
  "slack": { "botToken": "\${SLACK_BOT_TOKEN}" },
}`;

test('an unrelated missing key does no harm; a needed one says its name, its file and its line', async () => {
  const { configuration, problems, folder } = await openFolder(
    { 'cwd/.ai-agent.json': config },
    { environment: { ANTHROPIC_API_KEY: 'sk-ant' } },
  );
  configuration.check(problems);
  const anthropic = configuration.entry('providers', 'anthropic');
  if (anthropic) tellMissing(anthropic, problems);
  expect(anthropic).toMatchObject({ missing: [], variables: { ANTHROPIC_API_KEY: 'sk-ant' } });
  expect(problems.all).toEqual([]);

  const openai = configuration.entry('providers', 'openai');
  if (openai) tellMissing(openai, problems);
  expect(problems.all).toEqual([
    {
      severity: 'error',
      code: 'secret-missing',
      file: join(folder, 'cwd/.ai-agent.json'),
      line: 5,
      key: 'providers.openai',
      message: 'Missing: OPENAI_API_KEY, TEAM; define in shell or .ai-agent.env',
      remedy: 'Define the variable in the shell or in .ai-agent.env.',
    },
  ]);
});

test('one missing key is told as everybody knows it', async () => {
  const entry = { providers: { openai: { apiKey: `\${OPENAI_API_KEY}` } } };
  const { configuration, problems } = await openFolder({ 'cwd/.ai-agent.json': entry });
  const openai = configuration.entry('providers', 'openai');
  if (openai) tellMissing(openai, problems);
  expect(problems.all[0]?.message).toBe('Missing: OPENAI_API_KEY; define in shell or .ai-agent.env');
});

test('what a section misses is known, and told by who needs it', async () => {
  const { configuration, problems } = await openFolder({ 'cwd/.ai-agent.json': config });
  expect(configuration.section('slack')).toMatchObject({ missing: ['SLACK_BOT_TOKEN'], variables: {} });
  expect(problems.all).toEqual([]);
});

test('MCP_ROOT is the current folder unless somebody says otherwise; what is no variable stays as it is', async () => {
  const args = [`\${MCP_ROOT}`, `\${lower-case}`, `\${}`, '$HOME', `\${parameters.id}`, `\${A B}`];
  const file = { 'agent/.ai-agent.json': { mcpServers: { files: { command: 'x', args } } } };
  const { configuration, places } = await openFolder(file, { environment: { MCP_ROOT: '' } });
  expect(configuration.entry('mcpServers', 'files')).toMatchObject({
    value: { args },
    variables: { MCP_ROOT: places.cwd },
    missing: [],
  });
  const given = await openFolder(file, { environment: { MCP_ROOT: '/srv' } });
  expect(given.configuration.entry('mcpServers', 'files')?.variables).toEqual({ MCP_ROOT: '/srv' });
});

test('parameters of a call are left for the call', async () => {
  const url = `https://api/\${parameters.id}?key=\${KEY}`;
  const { configuration } = await openFolder(
    { 'cwd/.ai-agent.json': { restTools: { find: { url } } } },
    { environment: { KEY: 'k' } },
  );
  expect(configuration.entry('restTools', 'find')).toMatchObject({
    value: { url },
    variables: { KEY: 'k' },
    missing: [],
  });
});

test('whoever checks a part of an entry finds its line', async () => {
  const { configuration, folder } = await openFolder({ 'cwd/.ai-agent.json': config });
  const file = join(folder, 'cwd/.ai-agent.json');
  const openai = configuration.entry('providers', 'openai');
  const lines = [[], ['apiKey'], ['headers', 'x-team'], ['headers', 'gone', 'far']].map(
    (path) => openai && placeIn(openai, path),
  );
  expect(lines).toEqual([
    { file, line: 5, key: 'providers.openai' },
    { file, line: 6, key: 'providers.openai.apiKey' },
    { file, line: 7, key: 'providers.openai.headers.x-team' },
    { file, line: 7, key: 'providers.openai.headers.gone.far' },
  ]);
});
