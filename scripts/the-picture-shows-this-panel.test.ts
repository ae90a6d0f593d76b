// The promise: the picture in the README is what the command draws today. Only times and turning marks may differ.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { photograph } from './picture/scene.ts';
import { toSvg } from './picture/to-svg.ts';

const repository = join(import.meta.dirname, '..');

test('taken again, it is the same; npm run picture takes a new one', async () => {
  const kept = readFileSync(join(repository, 'docs/panel.svg'), 'utf8');
  expect(withoutTime(toSvg(await photograph()))).toBe(withoutTime(kept));
});

test('it stands in the README', () => {
  expect(readFileSync(join(repository, 'README.md'), 'utf8')).toContain('](docs/panel.svg)');
});

function withoutTime(svg: string): string {
  return svg.replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠋').replace(/\d\.\d s/g, '0.0 s');
}
