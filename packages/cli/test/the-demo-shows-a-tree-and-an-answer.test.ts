// The real command, in a pipe and in a real pseudo-terminal.

import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';

const command = join(import.meta.dirname, '../../../node_modules/.bin/ai-agent');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 20_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('in a pipe', () => {
  test('stdout is the answer and nothing else; stderr tells the story in plain lines', async () => {
    const { code, stdout, stderr } = await run('demo');
    expect(code).toBe(0);
    expect(stdout).toMatch(/release_note:[\s\S]*support_faq:[\s\S]*offline\/demo/);
    expect(stdout).not.toMatch(/FIN|session of/);
    expect(stderr).toMatch(/^child:release_note \w+~1\.1 /m);
    expect(stderr).toMatch(/^child:support_faq \w+~1\.2 /m);
    expect(stderr).toMatch(/FIN total: 4 model calls, 2 tool calls/);
    expect(stderr + stdout).not.toContain('\u001b');
  });

  test('a prompt of one’s own is what it writes about', async () => {
    const { stdout } = await run('demo', 'Write', 'a note for version 9.1, which adds folders.');
    expect(stdout).toMatch(/9\.1/);
    expect(stdout).toMatch(/folders/);
  });

  test('what it cannot do is said with exit code 4', async () => {
    expect(await run('dmeo')).toMatchObject({
      code: 4,
      stdout: '',
      stderr: 'failed (usage): There is no file or command dmeo. Did you mean demo? See ai-agent --help.\n',
    });
    expect(await run('demo', '--fast')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('no option --fast.'),
    });
  });

  test('a prompt that looks like options is one after --', async () => {
    expect((await run('demo', '--', '--help', 'is', 'a', 'word.')).stdout).toContain('--help is a word');
    expect(await run('demo', '--foo', '--', 'x')).toMatchObject({ code: 4 });
  });

  test('help and version', async () => {
    expect(await run('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: ai-agent <file>'),
    });
    expect(await run('demo', '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: ai-agent demo'),
    });
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run()).stdout).toBe((await run('--help')).stdout);
  });

  test('a reader that goes away is no crash', async () => {
    const code = await new Promise((resolve) =>
      execFile(
        'sh',
        ['-c', `${command} demo 2>&1 >/dev/null | head -n 1 >/dev/null; ${command} demo 2>/dev/null | head -n 1`],
        (error) => resolve(error?.code ?? 0),
      ),
    );
    expect(code).toBe(0);
  });
});

const scriptCommand = '/usr/bin/script';
const hasTerminal = existsSync(scriptCommand);
if (!hasTerminal) console.warn('Skipped: the pseudo-terminal tests need script(1) of util-linux.');

/** Runs the command in a pseudo-terminal of 80 columns. */
function inTerminal(line: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(scriptCommand, ['-qec', `stty cols 80 rows 24; ${line}`, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.on('close', (code) => resolve({ code, stdout, stderr: '' }));
  });
}

describe.runIf(hasTerminal)('on a terminal', () => {
  test('the tree is drawn while it works, and stays when it is done; no line is wider than the window', async () => {
    const { code, stdout } = await inTerminal(`${command} demo`);
    expect(code).toBe(0);
    expect(stdout).toContain('●');
    expect(stdout).toMatch(/├─ .*release_note/);
    expect(stdout).toMatch(/└─ .*support_faq/);
    const lastTree = stdout.slice(stdout.lastIndexOf('\u001b[J'));
    expect(lastTree).not.toContain('●');
    const treeLines = stripVTControlCharacters(stdout)
      .split(/\r?\n/)
      .filter((line) => /[├└]─/.test(line));
    for (const line of treeLines) expect([...line.replace('\r', '')].length).toBeLessThan(80);
  });

  test('NO_COLOR leaves the colours out', async () => {
    const { stdout } = await inTerminal(`NO_COLOR=1 ${command} demo`);
    for (const colour of ['2', '31', '32', '36']) expect(stdout).not.toContain(`\u001b[${colour}m`);
  });
});
