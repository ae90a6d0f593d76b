// The promise: each way of working together has its picture, as the script draws it, on the page that compares them.

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { toSvg } from './picture/diagram.ts';
import { diagrams } from './picture/diagrams.ts';

const repository = join(import.meta.dirname, '..');
const page = readFileSync(join(repository, 'docs/composing-agents.md'), 'utf8');

test('there are four', () => {
  expect(Object.keys(diagrams)).toHaveLength(4);
});

test.each(Object.entries(diagrams))('%s; npm run picture draws it again', (file, diagram) => {
  expect(readFileSync(join(repository, file), 'utf8')).toBe(toSvg(diagram));
  expect(page).toContain(`![${diagram.label}](${basename(file)})`);
});
