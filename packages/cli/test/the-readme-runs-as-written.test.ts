// The README is the first thing people try: each of its blocks is run, or compared with what it shows, as written.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../../..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8').replaceAll('\r\n', '\n');
// Inside the repository, so that `ai-agent` is found; not under node_modules, where Node strips no types.
const folder = mkdtempSync(join(repository, '.readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const [file, command, answer, program, printed, demo, tree, tests, library] = blocks.map(({ text }) => text);

test('these are its blocks, and no others', () => {
  const languages = blocks.map(({ language }) => language);
  expect(languages).toEqual(['yaml', 'sh', 'text', 'ts', 'text', 'sh', 'text', 'sh', 'ts']);
});

test('the agent file is the one in the examples, in eight lines', () => {
  const path = /^npx ai-agent (\S+) /.exec(command ?? '')?.[1] ?? '';
  expect(file).toBe(readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n'));
  expect(file?.trimEnd().split('\n')).toHaveLength(8);
});

test('the command prints what stands below it', () => {
  const { stdout, status } = spawnSync('sh', ['-c', command ?? ''], { cwd: repository, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toBe(answer);
});

test('the program prints what stands below it, in ten lines', () => {
  const path = join(folder, 'desk.ts');
  writeFileSync(path, program ?? '');
  expect(execFileSync(process.execPath, [path], { cwd: repository, encoding: 'utf8' })).toBe(printed);
  expect(program?.trimEnd().split('\n')).toHaveLength(10);
});

test('the first screen ends with three links', () => {
  const links = /^Read on: (.*)$/m.exec(readme)?.[1]?.match(/\]\([^)]+\)/g) ?? [];
  expect(links).toHaveLength(3);
});

test('all programs compile', () => {
  for (const [i, block] of [program, library].entries()) writeFileSync(join(folder, `block-${i}.ts`), block ?? '');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../tsconfig.tests.json', include: ['block-*.ts'] }),
  );
  const tsc = join(repository, 'node_modules/.bin/tsc');
  expect(() => execFileSync(tsc, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })).not.toThrow();
});

test('the demo ends with the figures that it shows', () => {
  const { stderr } = spawnSync(join(repository, 'node_modules/.bin/ai-agent'), ['demo'], { encoding: 'utf8' });
  const shown = (tree ?? '').trim().split('\n');
  expect(stderr).toContain(shown.at(-1));
  const { usage, tokens } = /(?<usage>\d+ model calls) · (?<tokens>\d+) tokens/.exec(shown[0] ?? '')?.groups ?? {};
  const [, input, output] =
    /(\d+) in \+ (\d+) out tokens, \$0\.0000$/m.exec(stderr.slice(stderr.indexOf('FIN total'))) ?? [];
  expect([usage, Number(tokens)]).toEqual(['4 model calls', Number(input) + Number(output)]);
});

test('the commands that install are one line each, of scripts that are there', () => {
  expect([demo, tests]).toEqual(['npm ci && npm run demo\n', 'npm ci && npm test\n']);
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  expect(scripts).toMatchObject({ demo: expect.any(String), test: expect.any(String) });
});

test('its links lead to files that are there', () => {
  const targets = [...readme.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !existsSync(join(repository, target)))).toEqual([]);
});
