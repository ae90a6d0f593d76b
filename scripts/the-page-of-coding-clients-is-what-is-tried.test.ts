// The promise: the files and versions in docs/coding-clients.md are those that `npm run clients` tries.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientsOf } from './coding-clients/clients.ts';
import { versions } from './coding-clients/install-clients.ts';

const url = 'http://127.0.0.1:9';
const clients = clientsOf({ url, key: 'k' });
const page = readFileSync(join(import.meta.dirname, '../docs/coding-clients.md'), 'utf8');

test('every client has its row, with the version that is installed', () => {
  const versionOf = {
    codex: versions['@openai/codex'],
    opencode: versions['opencode-ai'],
    claude: versions['@anthropic-ai/claude-code'],
  };
  for (const { name, command } of clients)
    expect(page).toContain(`| ${name} | ${versionOf[command as keyof typeof versionOf]} | yes | yes |`);
});

test('every client is told the address and the key, as the page says', () => {
  for (const { name, files, env } of clients) {
    const told = [...Object.values(files), ...Object.values(env)].join('\n');
    expect([name, told.includes(url), told.includes('AI_AGENT_KEY') || told.includes('k')]).toEqual([name, true, true]);
    expect(told).not.toContain('8080');
  }
  for (const { files } of clients)
    for (const [path, text] of Object.entries(files)) if (path.endsWith('.json')) JSON.parse(text);
  expect(clients.at(-1)?.env).toMatchObject({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: 'k',
    ANTHROPIC_MODEL: 'coder',
  });
});
