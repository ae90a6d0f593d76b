// The promise: whatever is edited that an agent's answers are made of, its answers of before are not given again.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SubagentRegistry, type World } from '../src/index.ts';
import { agentFile, childFile, toWorld, writeFiles } from './support/world.ts';

const files = {
  'lead.ai': agentFile(
    'cache: 1h\nagents: child.ai\ntools: [crm]\noutput: { format: json, schemaRef: out.json }',
    'You lead.\n{% include "tone.md" %}\nIt is {{ DATETIME }}.',
  ),
  'tone.md': 'Be kind. {% include "more.md" %}',
  'more.md': 'Be brief.',
  'out.json': { type: 'object' },
  'child.ai': childFile('agents: [deep.ai]'),
  'deep.ai': childFile(),
  '.ai-agent.json': {
    mcpServers: { crm: { command: 'crm', env: { TOKEN: '$' + '{CRM_TOKEN}' } } },
    providers: { openai: { type: 'openai', apiKey: '$' + '{OPENAI_API_KEY}' } },
  },
};

const env = { OPENAI_API_KEY: 'k-openai', CRM_TOKEN: 'one' };

async function versionIn(folder: string, given: Partial<World> = {}): Promise<string> {
  const registry = await SubagentRegistry.load([join(folder, 'lead.ai')], toWorld(folder, { env, ...given }));
  expect(registry.problems).toEqual([]);
  const [lead] = registry.agents;
  expect(lead?.agent.cache).toEqual({ ttlMs: 3_600_000, version: await lead?.version() });
  return lead?.agent.cache?.version ?? '';
}

test('read again, it is the same: short, and without a word of what it is made of', async () => {
  const folder = writeFiles(files);
  const version = await versionIn(folder);
  expect(version).toMatch(/^[\w-]{43}$/);
  expect(await versionIn(folder)).toBe(version);
});

const edits: readonly [what: string, file: string, content: unknown][] = [
  ['its prompt', 'lead.ai', files['lead.ai'].replace('You lead.', 'You follow.')],
  ['an option', 'lead.ai', files['lead.ai'].replace('cache: 1h', 'cache: 1h\ntemperature: 0')],
  ['a file it includes', 'tone.md', 'Be strict. {% include "more.md" %}'],
  ['a file that this one includes', 'more.md', 'Be long.'],
  ['its schema', 'out.json', { type: 'object', required: ['a'] }],
  ['a sub-agent', 'child.ai', `${files['child.ai']}More.\n`],
  ['a sub-agent of a sub-agent', 'deep.ai', `${files['deep.ai']}More.\n`],
  [
    'the set-up of a server',
    '.ai-agent.json',
    JSON.stringify(files['.ai-agent.json']).replace('"crm","env"', '"x","env"'),
  ],
  ['the set-up of a model', '.ai-agent.json', JSON.stringify(files['.ai-agent.json']).replace('"type":"openai",', '')],
];

test.each(edits)('%s', async (_what, file, content) => {
  const folder = writeFiles(files);
  const before = await versionIn(folder);
  writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  expect(await versionIn(folder)).not.toBe(before);
});

test('a variable of its own, or of a sub-agent alone', async () => {
  const folder = writeFiles(files);
  const before = await versionIn(folder);
  expect(await versionIn(folder, { env: { ...env, CRM_TOKEN: 'two' } })).not.toBe(before);
  expect(await versionIn(folder, { env: { ...env, OTHER: 'two' } })).toBe(before);
  const below = {
    ...files,
    'lead.ai': files['lead.ai'].replace('tools: [crm]\n', ''),
    'deep.ai': childFile('tools: crm'),
  };
  const other = writeFiles(below);
  expect(await versionIn(other, { env: { ...env, CRM_TOKEN: 'two' } })).not.toBe(await versionIn(other));
});

test('who runs it, where its prompt says so', async () => {
  const host = (user: string) => ({ host: { ...toWorld('/').host, user } });
  const plain = writeFiles(files);
  expect(await versionIn(plain, host('ann'))).toBe(await versionIn(plain, host('bob')));
  const named = writeFiles({ ...files, 'more.md': 'You work for {{ USER }}.' });
  expect(await versionIn(named, host('ann'))).not.toBe(await versionIn(named, host('bob')));
});
