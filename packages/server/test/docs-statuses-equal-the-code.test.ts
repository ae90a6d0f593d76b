// The promise: docs/errors.md says which HTTP status every code and class has, and nothing else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, type ErrorCode, type FailureClass } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { statusOf } from '../src/failure-status.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');

/** Those of outcomes that are no failures. */
const outcomes = ['completed', 'partial', 'needs_user_input', 'needs_client_tools'];

const byClass = new Map(
  linesUnder('Classes').map((line) => {
    const [name = '', , status] = cellsOf(line);
    return [name.replaceAll('`', ''), Number(status)] as const;
  }),
);
const byCode = new Map(
  linesUnder('Over HTTP').flatMap((line) => {
    const [names = '', status] = cellsOf(line);
    return [...names.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => [code, Number(status)] as const);
  }),
);

test('the status of every class', () => {
  const classes = [...new Set(Object.values(catalogue).map((entry) => entry.class))];
  expect([...byClass.keys()].sort()).toEqual([...classes, ...outcomes].sort());
  expect(outcomes.map((name) => byClass.get(name))).toEqual([200, 200, 200, 200]);
});

test('the status of every code: its own, or that of its class', () => {
  const codes = Object.entries(catalogue) as [ErrorCode, { readonly class: FailureClass }][];
  const onPage = codes.map(([code, { class: kind }]) => [code, byCode.get(code) ?? byClass.get(kind)]);
  expect(onPage).toEqual(codes.map(([code, { class: kind }]) => [code, statusOf({ code, class: kind })]));
  expect([...byCode.keys()].filter((code) => !(code in catalogue))).toEqual([]);
});

function linesUnder(title: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

function cellsOf(line: string): string[] {
  const cells = line.split('|').slice(1, -1);
  return cells.map((cell) => cell.trim());
}
