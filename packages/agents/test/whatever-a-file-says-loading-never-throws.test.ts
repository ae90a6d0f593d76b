// The promise: whatever stands in a file, loading ends with an agent or with an error that has a place and a remedy.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type LoadedAgent, options, SubagentRegistry, toTemplate } from '../src/index.ts';
import { loadFiles, toWorld, writeFiles } from './support/world.ts';

const keys = options.filter(({ said }) => said.includes('file')).map(({ key }) => key);
const tops = [...new Set(keys.map((key) => key.split('.')[0] as string)), 'limits', 'nobodyKnows', 'constructor'];

/** Words that mean something to some key, among values of all sorts. */
const words = fc.constantFrom(
  'off',
  'none',
  'json',
  '5m',
  '1e3',
  ' 7 ',
  'pool:2',
  'a, b',
  '!x',
  '*',
  'x/y',
  '---',
  '',
  '{}',
  '~',
);
const leaf = fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.string());
const inner = fc.constantFrom(
  'format',
  'schema',
  'schemaRef',
  'pool',
  'tokens',
  'time',
  'parallel',
  'maxTurns',
  'maxToolTurns',
  '__proto__',
);
const value = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }),
  fc.dictionary(inner, fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), { maxKeys: 3 }),
);

/** SEED=n looks at other files, RUNS=n at more of them. */
const seed = Number(process.env.SEED ?? 20_261_115);
const runs = (usual: number) => Number(process.env.RUNS ?? usual);
const patience = process.env.RUNS ? 3_600_000 : 60_000;

async function loadText(folder: string, text: string) {
  writeFileSync(join(folder, 'desk.ai'), text);
  const registry = await SubagentRegistry.load(['desk.ai'], toWorld(folder, { purpose: 'check' }));
  const errors = registry.problems.filter(({ severity }) => severity === 'error');
  expect(registry.agents).toHaveLength(errors.length === 0 ? 1 : 0);
  for (const { file, message, remedy } of registry.problems) {
    expect([file, message, remedy].every((one) => typeof one === 'string' && one.trim() !== '')).toBe(true);
    expect(message).not.toMatch(/undefined|\[object|=>/);
  }
  return { registry, errors };
}

test('any values of any keys', { timeout: patience }, async () => {
  const folder = writeFiles({});
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...tops), value, { maxKeys: 4 }), async (said) => {
      const { registry, errors } = await loadText(folder, `---\n${stringify(said)}---\nYou are helpful.\n`);
      for (const { file, line } of errors) if (file.endsWith('desk.ai')) expect(line ?? 1).toBeGreaterThan(0);
      // What loads can be shown, and what is shown loads.
      const [desk] = registry.agents;
      if (!desk) return;
      const again = await loadText(folder, `${toTemplate(desk)}You are helpful.\n`);
      expect(again.errors).toEqual([]);
      expect(toTemplate(again.registry.agents[0] as LoadedAgent)).toBe(toTemplate(desk));
      for (const option of options) {
        const held = desk.effective.value(option);
        if (held !== undefined)
          expect([option.key, again.registry.agents[0]?.effective.value(option)]).toEqual([option.key, held]);
      }
    }),
    { numRuns: runs(400), seed },
  );
  rmSync(join(folder, 'desk.ai'));
});

test('any text at all', { timeout: patience }, async () => {
  const folder = writeFiles({});
  const piece = fc.constantFrom(
    '---',
    '\n',
    '\r\n',
    '#!x',
    ': ',
    '- ',
    '&a ',
    '*a',
    '!t ',
    '{',
    '}',
    '[',
    ']',
    '"',
    '|',
    '\t',
    'maxTurns',
    '5',
    '\uFEFF',
    '\0',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 20 }), async (pieces) => {
      await loadText(folder, pieces.join(''));
      await loadText(folder, `---\n${pieces.join('')}\n---\nYou are helpful.\n`);
    }),
    { numRuns: runs(300), seed },
  );
});

test.each(keys)('%s refuses what it cannot read, in its line', async (key) => {
  const [outer = '', part] = key.split('.');
  const written = part === undefined ? `${outer}:\n  nobody: 1` : `${outer}:\n  ${part}: { nobody: 1 }`;
  const { problems, agents } = await loadFiles({ 'desk.ai': `---\n${written}\n---\nHi.\n` }, ['desk.ai']);
  expect(agents).toEqual([]);
  expect(problems[0]?.key?.startsWith(key)).toBe(true);
  expect(problems[0]).toMatchObject({ severity: 'error', file: 'desk.ai' });
  expect(problems[0]?.message).toMatch(/; (?:must be |did you mean |known are )/);
  expect([2, 3]).toContain(problems[0]?.line);
});
