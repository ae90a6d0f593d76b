// The promise: docs/errors.md has every code with its class, and an exit code for every class; and nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, type FailureClass } from '@ai-agent/core';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');

/** Exit codes are a promise to scripts: they stand here a second time, so that changing one takes two hands. */
const exits: Record<FailureClass, number> = {
  config: 1,
  auth: 2,
  rate_limit: 2,
  quota: 2,
  timeout: 2,
  network: 2,
  model: 2,
  invalid_output: 2,
  tool: 3,
  usage: 4,
  budget: 5,
  bug: 70,
  cancelled: 130,
};
const statuses = { completed: 0, partial: 5, needs_user_input: 6, needs_client_tools: 6 };

test('codes and classes on the page are those of the catalogue', () => {
  const inCode = Object.entries(catalogue).map(([code, entry]) => [code, entry.class]);
  const onPage = rowsUnder('Codes').map(([code, failureClass]) => [code, failureClass]);
  expect(onPage).toEqual(inCode);
});

test('every class has its exit code, and every code has that of its class', () => {
  const onPage = rowsUnder('Classes').map(([name, exit]) => [name, Number(exit)]);
  expect(Object.fromEntries(onPage)).toEqual({ ...exits, ...statuses });
  const wrong = rowsUnder('Codes').filter(([, name, exit]) => Number(exit) !== exits[name as FailureClass]);
  expect(wrong).toEqual([]);
});

test('every code says what it means and what to do', () => {
  expect(rowsUnder('Codes').filter(([, , , meaning, remedy]) => !meaning || !remedy)).toEqual([]);
});

/** The cells of each row whose first cell is in backticks. */
function rowsUnder(title: string): string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
  );
}
