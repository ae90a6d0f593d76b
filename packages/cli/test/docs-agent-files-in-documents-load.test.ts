// The promise: whatever a document shows as an agent file or a configuration loads, and what it says of mistakes is what is said.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toLine } from '@ai-agent/agents';
import { loadAgents } from '@ai-agent/cli';
import { afterAll, expect, test } from 'vitest';

const docs = join(import.meta.dirname, '../../../docs');
const read = (page: string) => readFileSync(join(docs, page), 'utf8').replaceAll('\r\n', '\n');
const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const files = ['agent-files.md', 'composing-agents.md', 'server.md', 'agents-as-models.md'].flatMap((page) =>
  blocksOf(page, 'yaml').map((text, i) => [`${page}, block ${i + 1}`, text] as const),
);

test.each(files)('%s', async (_, text) => {
  // What shows some keys alone is a frontmatter.
  const file = /^(?:---|#!)/.test(text) ? text : `---\n${text}---\nHello.\n`;
  const env = { RELEASE_DESK_KEY: 'any' };
  expect(await errorsOf({ 'minutes.ai': file, ...besides(file) }, env)).toEqual([]);
});

test('the mistakes of agent-files.md are told in these words', async () => {
  const [good = ''] = blocksOf('agent-files.md', 'yaml');
  const [told = ''] = blocksOf('agent-files.md', 'text');
  const bad = good.replace('maxTurns: 4', 'maxTurns: a few\nmaxTurn: 4');
  expect(await errorsOf({ 'minutes.ai': bad, ...besides(bad) })).toEqual(told.trimEnd().split('\n'));
});

const configurations = ['configuration.md', 'server.md', 'tools.md'].flatMap((page) => blocksOf(page, 'jsonc'));

test.each(configurations)('a configuration: %j', async (config) => {
  const agent = '---\nmodels: offline/demo\n---\nHello.\n';
  expect(await errorsOf({ 'minutes.ai': agent, '.ai-agent.json': config })).toEqual([]);
});

test.each(blocksOf('tools.md', 'yaml'))('tools.md: %j', async (keys) => {
  const [config = ''] = blocksOf('tools.md', 'jsonc');
  const agent = `---\nmodels: offline/demo\n${keys}---\nHello.\n`;
  const env = { GITHUB_TOKEN: 'any', CRM_KEY: 'any' };
  expect(await errorsOf({ 'desk.ai': agent, '.ai-agent.json': config }, env)).toEqual([]);
});

test('the plugin of plugins.md', async () => {
  const [file = ''] = blocksOf('plugins.md', 'yaml');
  const [plugin = ''] = blocksOf('plugins.md', 'js');
  const agent = file.replace('openai/gpt-5.4', 'offline/demo');
  expect(await errorsOf({ 'desk.ai': agent, 'support-metadata.js': plugin })).toEqual([]);
  expect(await errorsOf({ 'desk.ai': agent, 'support-metadata.js': plugin.replace('name:', 'nam:') })).toHaveLength(1);
});

test('the message of a missing key is told in these words', async () => {
  const [told = ''] = blocksOf('configuration.md', 'text');
  const agent = '---\ndescription: x\nusage: x\nmodels: openai/gpt-5.4\n---\nHello.\n';
  expect(await errorsOf({ 'desk.ai': agent })).toEqual([told.trimEnd()]);
});

function blocksOf(page: string, language: string): string[] {
  return [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  );
}

/** The files that it names. */
function besides(file: string): Record<string, string> {
  const config = file.includes('openapi:') ? blocksOf('server.md', 'jsonc').find(hasDocument) : undefined;
  const named = [...file.matchAll(/[\w/-]+\.(?:ai|json)\b/g)].map(([name]) => name);
  const entries = named.map((name) => [
    name.split('/').at(-1) ?? name,
    name.endsWith('.ai') ? '---\ndescription: x\nmodels: offline/demo\n---\nx\n' : '{ "type": "object" }',
  ]);
  return { ...Object.fromEntries(entries), ...(config === undefined ? {} : { '.ai-agent.json': config }) };
}

function hasDocument(config: string): boolean {
  return config.includes('openapiSpecs');
}

async function errorsOf(texts: Record<string, string>, env: Record<string, string> = {}): Promise<string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'docs-'));
  made.push(cwd);
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(cwd, name), text.replace('schemas/', ''));
  const [first = ''] = Object.keys(texts);
  const { problems } = await loadAgents([first], { cwd, env });
  return problems.filter(({ severity }) => severity === 'error').map((problem) => toLine(problem, cwd));
}
