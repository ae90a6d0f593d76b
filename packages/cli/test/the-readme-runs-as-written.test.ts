// The README is the first thing people try: its program runs, its blocks compile, its demo prints what it says.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../../..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8');
// Inside the package, so that `ai-agent` is found; not under node_modules, where Node strips no types.
const folder = mkdtempSync(join(import.meta.dirname, '../.readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');

test('the first program prints what stands below it', () => {
  const file = join(folder, 'desk.ts');
  writeFileSync(file, blocks('ts')[0] ?? '');
  const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
  expect(printed.trim()).toBe((blocks('text')[0] ?? '').trim());
});

test('it is at most eight lines', () => {
  expect((blocks('ts')[0] ?? '').trim().split('\n').length).toBeLessThanOrEqual(8);
});

test('all programs compile', () => {
  for (const [i, block] of blocks('ts').entries()) writeFileSync(join(folder, `block-${i}.ts`), block);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../tsconfig.json', include: ['block-*.ts'] }),
  );
  const tsc = join(repository, 'node_modules/.bin/tsc');
  expect(() => execFileSync(tsc, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })).not.toThrow();
});

test('the demo ends with the figures that it shows', () => {
  const command = join(repository, 'node_modules/.bin/ai-agent');
  const { stderr } = spawnSync(command, ['demo'], { encoding: 'utf8' });
  const shown = (blocks('text')[1] ?? '').trim().split('\n');
  expect(stderr).toContain(shown.at(-1));
  const { usage, tokens } = /(?<usage>\d+ model calls) · (?<tokens>\d+) tokens/.exec(shown[0] ?? '')?.groups ?? {};
  const [, input, output] =
    /(\d+) in \+ (\d+) out tokens, \$0\.0000$/m.exec(stderr.slice(stderr.indexOf('FIN total'))) ?? [];
  expect([usage, Number(tokens)]).toEqual(['4 model calls', Number(input) + Number(output)]);
});

test('its two commands are one line each', () => {
  expect(blocks('sh').map((block) => block.trim())).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
});
