// A report that is a list of like objects is read as a table, sorted by what is in it, and taken along as a file.

import type { Json, JsonObject } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { headOf, sortRows, toCsv, toTable } from '../src/forms/to-table.ts';

test('columns are all that there are, in the order in which they are first seen', () => {
  const table = toTable([
    { b: 1, a: 2 },
    { a: 3, c: 4 },
  ]);
  expect(table?.columns).toEqual(['b', 'a', 'c']);
  expect(table?.rows).toHaveLength(2);
});

test('a single list in an object is the table; what is beside it is kept', () => {
  expect(toTable({ summary: 'Two', items: [{ a: 1 }, { a: 2 }] })).toEqual({
    name: 'items',
    rest: { summary: 'Two' },
    columns: ['a'],
    rows: [{ a: 1 }, { a: 2 }],
  });
});

test.each<readonly [string, Json]>([
  ['a text', 'text'],
  ['an empty list', []],
  ['a list of texts', ['a', 'b']],
  ['a list of lists', [[1], [2]]],
  ['objects with nothing in them', [{}, {}]],
  ['two lists', { a: [{ x: 1 }], b: [{ x: 1 }] }],
  ['an object among texts', [{ a: 1 }, 'b']],
  ['objects with nothing in common', Array.from({ length: 9 }, (_, i) => ({ [`key${i}`]: i }))],
  ['more columns than anybody reads', [Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`c${i}`, i]))]],
])('%s is none', (_, value) => {
  expect(toTable(value)).toBeUndefined();
});

test('rows are sorted as people sort them, and those without a value come last both ways', () => {
  const rows: readonly JsonObject[] = [{ v: 'item 10' }, {}, { v: 'Item 9' }, { v: null }, { v: 'apple' }];
  const values = (isDown: boolean) => sortRows(rows, { column: 'v', isDown }).map(({ v }) => v ?? '-');
  expect(values(false)).toEqual(['apple', 'Item 9', 'item 10', '-', '-']);
  expect(values(true)).toEqual(['item 10', 'Item 9', 'apple', '-', '-']);
  const numbers = sortRows([{ v: 10 }, { v: 9 }, { v: -1 }], { column: 'v', isDown: false });
  expect(numbers.map(({ v }) => v)).toEqual([-1, 9, 10]);
});

test('the file keeps commas, quotes and lines, and holds nothing that a spreadsheet would run', () => {
  const rows = [{ a: 'x, "y"\nz', b: -1 }, { a: '=HYPERLINK("https://example.org")', b: { c: [1] } }, { b: null }];
  expect(toCsv({ columns: ['a', 'b'], rows }).split('\r\n')).toEqual([
    '\uFEFFa,b',
    '"x, ""y""\nz",-1',
    '"\'=HYPERLINK(""https://example.org"")","{""c"":[1]}"',
    ',',
    '',
  ]);
});

test('of what is nested only the head is written, however large or deep it is', () => {
  expect(headOf({ a: [1, 'b'] }, 80)).toBe('{"a": [1, "b"]}');
  expect(
    headOf(
      Array.from({ length: 1e6 }, (_, i) => i),
      20,
    ),
  ).toBe('[0, 1, 2, 3, 4, 5, 6…');
  let deep: Json = 1;
  for (let i = 0; i < 50_000; i++) deep = [deep];
  expect(headOf(deep, 10)).toBe('[[[[[[[[[[…');
});
