// The promise: docs/events.md lists every fact and hint with exactly the fields they have, and no others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const source = ['events.ts', 'trace.ts']
  .map((name) => readFileSync(join(root, 'packages/core/src', name), 'utf8'))
  .join('\n');
const page = readFileSync(join(root, 'docs/events.md'), 'utf8');

type Fields = Readonly<Record<string, readonly string[]>>;

test.each([
  ['Fact', 'Facts'],
  ['Hint', 'Hints'],
])('every %s of the code is on the page, and the other way round', (union, title) => {
  const inCode = membersOf(union);
  expect(Object.keys(inCode).length).toBeGreaterThan(3);
  expect(eventsUnder(title)).toEqual(inCode);
});

test.each([
  ['FactFields', 'On every fact', ['type']],
  ['HintFields', 'On every hint', ['type']],
  ['Trace', 'The trace', []],
])('the fields of %s are those of the page', (name, title, more) => {
  expect(fieldsIn(section(title))).toEqual([...fieldsOf(name), ...more].sort());
});

/** The types of a union, each with the fields it adds. */
function membersOf(union: string): Fields {
  const names = new RegExp(`export type ${union} =([^;]+);`).exec(source)?.[1]?.match(/\w+/g) ?? [];
  return Object.fromEntries(names.map((name) => [typeOf(name), fieldsOf(name).filter((field) => field !== 'type')]));
}

function typeOf(name: string): string {
  return /readonly type: '([^']+)'/.exec(bodyOf(name))?.[1] ?? `${name} has no type`;
}

function fieldsOf(name: string): string[] {
  return [...bodyOf(name).matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field).sort();
}

function bodyOf(name: string): string {
  return new RegExp(`interface ${name}\\b[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
}

function eventsUnder(title: string): Fields {
  const [, ...events] = section(title).split(/^### /m);
  return Object.fromEntries(events.map((text) => [/^`([^`]+)`/.exec(text)?.[1] ?? text, fieldsIn(text)]));
}

function section(title: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
}

function fieldsIn(text: string): string[] {
  return [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, field = '']) => field).sort();
}
