// What files, paths and words of a command line say is printed without control sequences, whatever is asked about them.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

/** An escape, its form in one letter, and a line that would pass for one of ours. */
const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\nfailed (bug): forged';
const inYaml = JSON.stringify(evil).replaceAll('\u009b', '\\u009b').replaceAll('\u202e', '\\u202e');

const controls = /[^\P{Cc}\n\t]|[\u202a-\u202e]/u;

/** Everything that was said is clean, and has no line that the file made up. */
function expectClean(text: string): void {
  expect(controls.exec(text)?.[0], JSON.stringify(text)).toBeUndefined();
  expect(text).not.toMatch(/^failed \(bug\): forged/m);
}

const files = {
  'key.ai': agentFile(['models: offline/demo', `${inYaml}: 3`]),
  'model.ai': agentFile([`models: [${inYaml}]`]),
  'value.ai': agentFile(['models: offline/demo', `maxTurns: ${inYaml}`, 'description: d']),
  'child.ai': agentFile(['models: offline/demo', `agents: [${inYaml}]`]),
  'sound.ai': agentFile(['models: offline/demo', `description: ${inYaml}`, `usage: ${inYaml}`]),
  'broken.ai': `---\nmodels: [\u001b[31m\u009b\n---\nYou answer.\n`,
  'named\u001b[31m\u009b.ai': agentFile([]),
  'wrong\u001b[31m\u009b.ai': agentFile(['maxTurns: few']),
};
const names = Object.keys(files);

test.each([
  ['run', (file: string) => [file, 'hello']],
  ['run --dry-run', (file: string) => [file, '--dry-run']],
  ['check', (file: string) => ['check', file]],
  ['list', (file: string) => ['list', file]],
  ['tools', (file: string) => ['tools', file]],
  ['--help', (file: string) => [file, '--help']],
])(
  '%s',
  async (_, toArguments) => {
    const cwd = await folderWith(files);
    const told = await Promise.all([...names, `no${evil}.ai`].map((file) => run(toArguments(file), { cwd })));
    for (const { stdout, stderr } of told) {
      expectClean(stderr);
      // A usage may have several lines, and is shown as it is.
      expect(controls.exec(stdout)?.[0], JSON.stringify(stdout)).toBeUndefined();
    }
    expect(told.some(({ code }) => code !== 0)).toBe(true);
  },
  30_000,
);

test('a configuration', async () => {
  const key = { [`providers${evil}`]: 3 };
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo']),
    'x.json': key,
    'y.json': `{ ${evil}`,
  });
  for (const config of ['x.json', 'y.json', `no${evil}.json`])
    expectClean((await run(['desk.ai', 'hello', '--config', config], { cwd })).stderr);
});

test.each([
  ['a flag', [`--x${evil}`]],
  ['its value', ['desk.ai', `--json=${evil}`]],
  ['a word that is nearly a command', [`chek\u001b`]],
  ['a file of the prompt', ['desk.ai', '@no\u001b[2J\u009b.txt']],
])('%s on the command line', async (_, args) => {
  const cwd = await folderWith({ 'desk.ai': agentFile(['models: offline/demo']) });
  const { code, stderr } = await run(args, { cwd });
  expect(code).toBe(4);
  expectClean(stderr);
});
