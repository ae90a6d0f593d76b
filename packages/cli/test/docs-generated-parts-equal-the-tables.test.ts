// The promise: what docs/agent-files.md and docs/configuration.md have from tables of the code is what those tables say.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { options } from '@ai-agent/agents';
import { entryKeys, type ToolSection } from '@ai-agent/tools';
import { expect, test } from 'vitest';
import { fillPage, generated } from '../../../scripts/generated-docs.ts';
import { configShape, mcpServer, openapiSpec, restTool } from '../../agents/src/config/config-shape.ts';

const root = join(import.meta.dirname, '../../..');
const read = (page: string) => readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');

test.each(Object.keys(generated))('%s is as `npm run docs` writes it', (page) => {
  expect(read(page)).toBe(fillPage(page, read(page)));
});

test('every option stands on the page of agent files, once', () => {
  const known = options.map(({ key }) => key);
  const rows = [...read('docs/agent-files.md').matchAll(/^\| `([\w.-]+)` \|/gm)].map(([, key = '']) => key);
  expect(rows.filter((key) => known.includes(key)).sort()).toEqual([...known].sort());
});

test('every section of a configuration stands on its page', () => {
  const sections = configShape.allowed.replace(/^.* any of /, '').split(', ');
  expect(sections).toContain('providers');
  const page = read('docs/configuration.md');
  expect(sections.filter((section) => !page.includes(`\`${section}\``))).toEqual([]);
});

test.each(Object.entries({ mcpServers: mcpServer, restTools: restTool, openapiSpecs: openapiSpec }))(
  'every key of %s stands in its table and in its type, and no other',
  (section, { allowed }) => {
    const [, page = ''] = read('docs/tools.md').split(`\n## ${section}\n`);
    const [table = ''] = (page.split('\n| key | ')[1] ?? '').split('\n\n');
    const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
    const keys = allowed
      .replace(/^.* any of /, '')
      .split(', ')
      .sort();
    expect(rows.sort()).toEqual(keys);
    expect([...entryKeys[section as ToolSection]].sort()).toEqual(keys);
  },
);
