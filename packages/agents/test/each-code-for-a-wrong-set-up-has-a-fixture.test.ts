// The promise: every code that says something is set up wrong can be met, by files or a program in fixtures/codes, and is that very code.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, type ErrorCode, isAgentError } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { type Problem, SubagentRegistry } from '../src/index.ts';
import { inside, toWorld } from './support/world.ts';

const home = join(import.meta.dirname, 'fixtures/codes');
const folders = readdirSync(home, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
const all = (Object.keys(catalogue) as ErrorCode[]).filter((code) => catalogue[code].class === 'config');
/** What is wrong with a store is met where stores are, not by files of agents. */
const ofStores = all.filter((code) => code.startsWith('store-'));
const codes = all.filter((code) => !ofStores.includes(code));

interface Expected {
  /** @default desk.ai */
  readonly entries?: readonly string[];
  /** For a run. */
  readonly severity: 'error' | 'warning' | 'none';
  /** For a check. @default the same */
  readonly inCheck?: 'error' | 'warning';
  readonly file: string;
  readonly line?: number;
  readonly key?: string;
  /** Part of it. */
  readonly message: string;
}

interface Program {
  readonly default: () => Promise<unknown>;
  /** Part of it. */
  readonly message: string;
}

test('there is a fixture for every config code, and for nothing else', () => {
  expect(folders.sort()).toEqual([...codes].sort());
});

test('docs/errors.md has a row for each of them', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| `config` \| 1 \|/gm)].map(([, code]) => code);
  expect(rows.sort()).toEqual([...all].sort());
});

test('those of stores are met by tests of the store', () => {
  const tests = join(import.meta.dirname, '../../store/test');
  const texts = readdirSync(tests).flatMap((name) =>
    name.endsWith('.test.ts') ? readFileSync(join(tests, name), 'utf8') : [],
  );
  expect(ofStores.filter((code) => !texts.some((text) => text.includes(`'${code}'`)))).toEqual([]);
});

const isProgram = (code: ErrorCode) => existsSync(join(home, code, 'program.ts'));

test.each(codes.filter((code) => !isProgram(code)))('files that are told: %s', async (code) => {
  const expected: Expected = JSON.parse(readFileSync(join(home, code, 'expected.json'), 'utf8'));
  const { severity, inCheck = severity, file, line, key } = expected;
  const { entries = ['desk.ai'], message } = expected;
  for (const [purpose, wanted] of [
    ['run', severity],
    ['check', inCheck],
  ] as const) {
    const told = await problemsOf(code, entries, purpose);
    const place = { file, line, key };
    const mine = told.filter((one) => one.code === code);
    expect(mine.map((one) => ({ severity: one.severity, file: one.file, line: one.line, key: one.key }))).toEqual(
      wanted === 'none' ? [] : [{ severity: wanted, ...place }],
    );
    for (const one of mine) expect(one.message).toContain(message);
    // A fixture is about one code: what else is said is the three warnings of a check.
    const others = told.filter((one) => one.code !== code && !usual.includes(one.code));
    expect(others).toEqual([]);
  }
});

const usual: readonly ErrorCode[] = ['description-missing', 'usage-missing', 'output-missing'];

async function problemsOf(
  code: ErrorCode,
  entries: readonly string[],
  purpose: 'run' | 'check',
): Promise<readonly Problem[]> {
  const folder = join(home, code);
  const { problems } = await SubagentRegistry.load(entries, toWorld(folder, { purpose, env: {} }));
  return inside(folder, problems);
}

test.each(codes.filter(isProgram))('a program that fails with %s', async (code) => {
  const program: Program = await import(join(home, code, 'program.ts'));
  const failure = await failureOf(program);
  expect(failure).toMatchObject({ code, class: 'config' });
  expect(failure.message).toContain(program.message);
  expect(failure.remedy).not.toBe('');
});

interface Told {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

/** Thrown before anything ran, or the failure of the outcome. */
async function failureOf({ default: run }: Program): Promise<Told> {
  try {
    return ((await run()) as { readonly failure: Told }).failure;
  } catch (error) {
    if (isAgentError(error)) return error;
    throw error;
  }
}
