// Liquid is loaded by the first text that needs it; a prompt without templates starts as fast as its files are read.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toFolder } from './support/prompts.ts';

const program = `
import { registerHooks } from 'node:module';
let loaded = false;
registerHooks({ resolve: (name, context, next) => { loaded ||= name === 'liquidjs'; return next(name, context); } });
const [folder, text, sources] = process.argv.slice(1);
const { preparePrompt } = await import(sources + '/prompt/prepare-prompt.ts');
const { Problems } = await import(sources + '/problem.ts');
const prompt = await preparePrompt({ file: folder + '/desk.ai', text, firstLine: 1 }, { roots: [folder], problems: new Problems() });
console.log(prompt !== undefined, loaded);
`;

const run = (text: string) => {
  const folder = toFolder({ 'plain.md': 'P ${USER}', 'template.md': '{{ USER }}' });
  const sources = join(import.meta.dirname, '../src');
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program, folder, text, sources], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return output.toString().trim();
};

test.each([
  ['Plain, ${USER} and ${unknown}.', 'true false'],
  ['${include:plain.md}', 'true false'],
  ['${include:template.md}', 'true true'],
  ['{{ USER }}', 'true true'],
])('%s', (text, expected) => {
  expect(run(text)).toBe(expected);
});
