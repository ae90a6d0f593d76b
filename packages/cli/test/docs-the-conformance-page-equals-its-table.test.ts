// The promise: docs/mcp-conformance.md has every scenario of the server suite, the revisions it is run in, and what came of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Row, rows } from './conformance/support/server-scenarios.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/mcp-conformance.md'), 'utf8').replaceAll(
  '\r\n',
  '\n',
);

test('row by row', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(lines).toEqual(rows.map(toLine));
});

function toLine({ scenario, in: revisions, needs }: Row): string {
  return `| \`${scenario}\` | ${revisions.join(', ')} | ${needs === undefined ? 'passes' : `needs ${needs}`} |`;
}
