// The real command, in a pipe and in a real pseudo-terminal.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';

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
    expect(stderr).toMatch(/^child:release_note\[1\] \w+~1\.1 /m);
    expect(stderr).toMatch(/^child:support_faq\[1\] \w+~1\.2 /m);
    expect(stderr).toMatch(/FIN total: 4 model calls, 2 tool calls/);
    expect(stderr + stdout).not.toContain('\u001b');
  });

  test('--quiet, --verbose and --show-tree are those of a run', async () => {
    expect(await run('demo', '-q')).toMatchObject({ code: 0, stderr: '' });
    const { stderr } = await run('demo', '--verbose', '--show-tree');
    expect(stderr).toMatch(/turn 1/);
    expect(stderr).toMatch(/^`- 2\. model/m);
    expect(await run('demo', '-q', '-v')).toMatchObject({ code: 4, stderr: expect.stringContaining('Choose one of') });
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

describe('on a terminal', () => {
  test('the tree is drawn while it works and stays, the answer comes below it, then what each used', async () => {
    const terminal = startInTerminal(['demo'], { cwd: await folderWith({}), columns: 80 });
    await terminal.shows(/├─ \S release_note\[1\] .*turn 1 · writing[\s\S]*└─ \S support_faq\[1\] .*turn 1 · writing/);
    expect(await terminal.ended).toBe(0);
    const seen = terminal.history();
    expect(seen.slice(0, 5)).toEqual([
      expect.stringMatching(/^▾ release_desk .*turn 2/),
      expect.stringMatching(/^├─ ✓ release_note\[1\]/),
      expect.stringMatching(/^└─ ✓ support_faq\[1\]/),
      '',
      'Release note and support FAQ for version 2.4',
    ]);
    expect(seen.slice(-5).map((line) => line.split(' ')[0])).toEqual([
      'agent',
      'release_desk',
      'release_note',
      'support_faq',
      'total',
    ]);
    for (const line of seen) expect(line.length).toBeLessThanOrEqual(80);
  });
});
