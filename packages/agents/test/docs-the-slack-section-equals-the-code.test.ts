// The promise: docs/configuration.md has every key of the section `slack`, and no others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { slack } from '../src/config/slack-shape.ts';
import { slackVariables } from '../src/config/slack-tokens.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
const [, part = ''] = page.split('\n## slack\n');

test('the table of the section', () => {
  const [, table = ''] = part.split('\n| key of `slack` | default |');
  const rows = (table.split('\n\n')[0] ?? '').split('\n').slice(2);
  const onPage = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, key]) => key));
  const inCode = slack.allowed.replace('an object with any of ', '').split(', ');
  expect(onPage.sort()).toEqual(inCode.sort());
  for (const variable of Object.values(slackVariables)) expect(part).toContain(`| \`${variable}\``);
});
