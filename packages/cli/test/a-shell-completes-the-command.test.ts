// `ai-agent completion <shell>`: what a person types in a real shell of a real terminal, with the Tab key, is what the
// command gets. The shells zsh and fish are not everywhere; where we are tested for good, they must be.

import { accessSync, constants } from 'node:fs';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../src/commands/table.ts';
import { command, folderWith, run } from './support/command.ts';
import { type InTerminal, startInTerminal } from './support/pty.ts';

const files = {
  'desk.ai': '',
  'zeta.txt': '',
  'my team/lead one.ai': '',
  'my team/notes.txt': '',
  'odd:name.ai': '',
  '-dash.ai': '',
};

/** What is typed, with ⇥ for the Tab key, and the words that the command then gets. */
const lines: readonly (readonly [typed: string, words: readonly string[]])[] = [
  ['che⇥', ['check']],
  ['cha⇥odd⇥', ['chat', 'odd:name.ai']],
  ['de⇥', ['de']],
  ['des⇥', ['desk.ai']],
  ['zet⇥', ['zet']],
  ['completion z⇥', ['completion', 'zsh']],
  ['tools des⇥', ['tools', 'desk.ai']],
  ['tools zet⇥', ['tools', 'zet']],
  ['init my⇥x', ['init', 'my team/x']],
  ['init des⇥', ['init', 'des']],
  ['help lis⇥', ['help', 'list']],
  ['check my⇥le⇥', ['check', 'my team/lead one.ai']],
  ['check odd⇥', ['check', 'odd:name.ai']],
  ['check odd:n⇥', ['check', 'odd:name.ai']],
  ['check "my team/le⇥', ['check', 'my team/lead one.ai']],
  ["check 'my team/le⇥", ['check', 'my team/lead one.ai']],
  ['check my\\ team/le⇥', ['check', 'my team/lead one.ai']],
  ['check odd\\:n⇥', ['check', 'odd:name.ai']],
  ['check --js⇥', ['check', '--json']],
  ['check --config ze⇥', ['check', '--config', 'zeta.txt']],
  ['check --config=ze⇥', ['check', '--config=zeta.txt']],
  ['check --config zeta.txt des⇥', ['check', '--config', 'zeta.txt', 'desk.ai']],
  ['--config zeta.txt che⇥', ['--config', 'zeta.txt', 'check']],
  ['list --ev⇥', ['list', '--ev']],
  ['desk.ai --even⇥', ['desk.ai', '--events']],
  ['serve desk.ai --mcp st⇥', ['serve', 'desk.ai', '--mcp', 'stdio']],
  ['serve desk.ai --mcp=ws⇥', ['serve', 'desk.ai', '--mcp=ws:8080']],
  ['desk.ai --reasoning mi⇥', ['desk.ai', '--reasoning', 'minimal']],
  ['desk.ai --reasoning=mi⇥', ['desk.ai', '--reasoning=minimal']],
  ['desk.ai --handoff des⇥', ['desk.ai', '--handoff', 'desk.ai']],
  ['desk.ai --max-turns zet⇥', ['desk.ai', '--max-turns', 'zet']],
  ['desk.ai des⇥', ['desk.ai', 'des']],
  ['run desk.ai @zet⇥', ['run', 'desk.ai', '@zeta.txt']],
  ['desk.ai -- --even⇥', ['desk.ai', '--', '--even']],
  ['desk.ai -- --reasoning=mi⇥', ['desk.ai', '--', '--reasoning=mi']],
  ['check -- -d⇥', ['check', '--', '-dash.ai']],
];

/** A shell with nothing of its owner's, our script, and a command that shows its words. */
const shells = {
  bash: {
    args: ['--norc', '--noprofile', '-i'],
    setUp: "PS1='> '; bind 'set bell-style none'; source ./script; ai-agent() { printf '<%s>' \"$@\"; echo .; }",
  },
  zsh: {
    args: ['-f', '-i'],
    setUp:
      "PS1='> '; setopt no_beep no_prompt_sp; autoload -Uz compinit; compinit -u -D; source ./script; ai-agent() { printf '<%s>' \"$@\"; echo .; }",
  },
  fish: {
    args: ['--no-config', '-i'],
    setUp:
      "function fish_prompt; echo '> '; end; source ./script; function ai-agent; printf '<%s>' $argv; echo .; end; set -g fish_autosuggestion_enabled 0",
  },
};

test.for(Object.entries(shells))('%s, in a terminal', async ([shell, { args, setUp }], { skip }) => {
  const program = whereIs(shell);
  if (program === undefined && !process.env.CI) skip(`${shell} is not installed here`);
  if (program === undefined) return expect.fail(`${shell} is not installed; .ci/run does that`);
  const got = await typeAll(lines, { shell, program, args, setUp, cwd: await folderWith(files) });
  expect(got).toEqual(lines);
});

/** Names that are commands where nobody quotes them; `canary` leaves a file behind. */
const hostile = {
  'desk.ai': '',
  'w`canary`': '',
  'x$(canary).ai': '',
  'y;canary;.ai': '',
  'mm\nj`canary`.ai': '',
  'odd:v`canary`.ai': '',
  'odd:z;canary;.ai': '',
  'p`canary`a.ai': '',
  'p`canary`b.ai': '',
  'q`canary`/one.ai': '',
  'q`canary`/two.ai': '',
  'r$(canary)\nr': '',
  'home/t`canary`.ai': '',
  'bin/canary': '#!/bin/sh\necho "$0" >> ran\n',
};

const hostileLines = [
  'desk.ai @w⇥',
  'desk.ai @r⇥',
  'desk.ai @x⇥',
  'desk.ai @y⇥',
  'x⇥',
  './x⇥',
  'mm⇥',
  'check mm⇥',
  'check odd:v⇥',
  'check odd:z⇥',
  'check ~/t⇥',
  'check p⇥',
  'check q⇥',
  'check q⇥⇥',
  'check --config w⇥',
  'check --config=w⇥',
  'init q⇥',
  'y⇥',
];

/** Before bash 4, nothing that a script offers can be quoted. */
const before4 = { ...shells.bash, setUp: `enable -n compopt; ${shells.bash.setUp}` };

test.for([
  ...Object.entries(shells).map(([shell, row]) => ({ name: shell, shell, ...row, words: ['y;canary;.ai'] })),
  { name: 'bash before 4', shell: 'bash', ...before4, words: ['y'] },
])('$name runs nothing that a file is named after', async ({ shell, args, setUp, words }, { skip }) => {
  const program = whereIs(shell);
  if (program === undefined && !process.env.CI) skip(`${shell} is not installed here`);
  if (program === undefined) return expect.fail(`${shell} is not installed; .ci/run does that`);
  const cwd = await folderWith(hostile);
  await chmod(join(cwd, 'bin/canary'), 0o755);
  const env = { PATH: `${join(cwd, 'bin')}${delimiter}${process.env.PATH}` };
  const typed = hostileLines.map((line) => [line] as const);
  const got = await typeAll(typed, { shell, program, args, setUp, cwd, env });
  expect(await readdir(cwd)).not.toContain('ran');
  expect(got.at(-1)).toEqual(['y⇥', words]);
});

test.for(Object.entries(commands))('bash offers the flags of %s, and no others', async ([name, row]) => {
  const flags = [...row.flags, ...(row.sections ?? []).flatMap((section) => section.flags)];
  const own = flags.flatMap(({ names }) => names);
  expect(await offered(`ai-agent ${name} -`)).toEqual([...own, '--help', '-h'].sort());
});

test('bash offers every command, and agents', async () => {
  const folders = ['home/', 'my team/'];
  const first = [...Object.keys(commands), 'help', 'desk.ai', 'odd:name.ai', '-dash.ai', ...folders].sort();
  expect((await offered('ai-agent ')).map((one) => (folders.includes(`${one}/`) ? `${one}/` : one))).toEqual(first);
  expect(await offered('ai-agent desk.ai --max-turns 3 ')).toEqual([]);
});

test.each([[[]], [['tcsh']], [['bash', 'zsh']]])('completion %j is misuse', async (words) => {
  const { code, stdout, stderr } = await run(['completion', ...words], { cwd: await folderWith({}) });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toBe(
    'failed (usage): For which shell? Say one of bash, zsh and fish. See ai-agent completion --help.\n',
  );
});

/** What the function of the script replies to this line. */
async function offered(line: string): Promise<readonly string[]> {
  const cwd = await folderWith(files);
  const script = `source <(${command} completion bash)
COMP_LINE=$1 COMP_POINT=\${#1} COMP_CWORD=$(($# - 2)) COMP_WORDS=("\${@:2}")
_ai_agent; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await run(['-c', script, 'bash', line, ...line.split(' ')], { cwd, program: 'bash' });
  expect(stderr).toBe('');
  return stdout.trim().split('\n').filter(Boolean).sort();
}

interface Typing {
  readonly shell: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly setUp: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Each line, with the words that the command then gets. */
async function typeAll(typed: readonly (readonly [string, ...unknown[]])[], { shell, setUp, args, ...start }: Typing) {
  await writeFile(join(start.cwd, 'script'), (await run(['completion', shell], { cwd: start.cwd })).stdout);
  const terminal = startInTerminal(args, { ...start, columns: 160, rows: 200 });
  terminal.type(`${setUp}; echo re''ady\r`);
  await terminal.shows('ready');
  const got: (readonly [string, readonly string[]])[] = [];
  for (const [line] of typed) {
    let words = await wordsOf(terminal, line);
    // On a busy machine a shell sometimes drops a key that came while it looked for names.
    for (let more = 3; more > 0 && words.length === 0; more--) words = await wordsOf(terminal, line);
    got.push([line, words]);
  }
  terminal.type('exit\r');
  await terminal.ended;
  return got;
}

let count = 0;

/** The words of the line after Enter. */
async function wordsOf(terminal: InTerminal, typed: string): Promise<readonly string[]> {
  const mark = `end-${++count}.`;
  // A shell takes keys one after the other, however early they come.
  terminal.type(`ai-agent ${typed.replaceAll('⇥', '\t')}\r`);
  terminal.type(`echo ${mark.replace('-', "''-")}\r`);
  await terminal.shows(mark);
  const shown = terminal.history().join('\n').split(mark)[0] ?? '';
  const printed = /^(?:<.*>)?\.$/gm;
  const last = [...shown.matchAll(printed)].at(-1)?.[0] ?? '';
  return [...last.matchAll(/<([^>]*)>/g)].map(([, word = '']) => word);
}

function whereIs(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
