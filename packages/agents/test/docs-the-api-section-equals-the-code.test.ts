// The promise: docs/configuration.md has every key of the section `api` and of its keys, and no others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api } from '../src/config/headend-shape.ts';
import { keyFields } from '../src/config/key-kinds.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
const [, part = ''] = page.split('\n## api\n');

test.each([
  ['key', api],
  ['key of an entry', keyFields],
])('the table of each %s', (head, kind) => {
  const [, table = ''] = part.split(`\n| ${head} | default |`);
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
  const onPage = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key]) => key));
  const inCode = kind.allowed.replace('an object with any of ', '').split(', ');
  expect(onPage.sort()).toEqual(inCode.sort());
});
