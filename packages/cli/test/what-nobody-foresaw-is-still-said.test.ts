// Something throws where nothing should: the command says it like any other failure, in words and as a document.

import { AgentError } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { main } from '../src/main.ts';
import type { Terminal } from '../src/terminal.ts';

/** A terminal whose standard input throws. */
const terminalThrowing = (error: unknown) => {
  const written = { stdout: '', stderr: '' };
  const screen = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const terminal: Terminal = {
    input: {
      cwd: process.cwd(),
      isTerminal: false,
      isPiped: false,
      read: () => Promise.reject(error),
      lines: () => [] as unknown as AsyncIterable<string>,
    },
    stdout: screen('stdout'),
    stderr: screen('stderr'),
    isColoured: false,
    onInterrupt: () => () => {},
    onSignal: () => () => {},
  };
  return { terminal, written };
};

const file = `${import.meta.dirname}/support/plain.ai`;

test('an error of ours keeps its class, its words and its exit code', async () => {
  const { terminal, written } = terminalThrowing(new AgentError('secret-missing', 'Missing: THE_KEY.'));
  expect(await main([file, '--models', 'offline/demo', '--json', '-'], terminal)).toBe(1);
  expect(written.stderr).toMatch(/^failed \(config\): Missing: THE_KEY\.\nWhat to do: .+\n$/);
  expect(JSON.parse(written.stdout)).toMatchObject({ status: 'failed', failure: { class: 'config' }, ledger: null });
});

test('anything else is a bug, with the place it came from', async () => {
  const { terminal, written } = terminalThrowing(new TypeError('the keyboard caught fire'));
  expect(await main([file, '--models', 'offline/demo', '-'], terminal)).toBe(70);
  expect(written.stdout).toBe('');
  expect(written.stderr).toMatch(
    /^TypeError: the keyboard caught fire\n {4}at [\s\S]*failed \(bug\): the keyboard caught fire\nWhat to do: /,
  );
});

test('what it says is one line, and drives no terminal', async () => {
  const { terminal, written } = terminalThrowing(new TypeError('caught\u001b[2J\u009b fire\nfailed (bug): forged'));
  expect(await main([file, '--models', 'offline/demo', '-'], terminal)).toBe(70);
  for (const letter of ['\u001b', '\u009b']) expect(written.stderr).not.toContain(letter);
  expect(written.stderr).toMatch(/^failed \(bug\): caught.*forged\nWhat to do: .+\n$/m);
});
