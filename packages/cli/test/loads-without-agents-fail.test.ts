// A load that gives no agent has an exit code other than 0: 70 if no error of the user explains it.

import type { Problem } from '@ai-agent/agents';
import { expect, test } from 'vitest';
import { exitCodeFor, refuse } from '../src/commands/load.ts';
import type { Terminal } from '../src/terminal.ts';

const problem = (code: Problem['code']): Problem => ({
  ...{ severity: 'error', code, file: 'desk.ai', message: 'is wrong', remedy: 'Report it.' },
});

test.each<[string, readonly Problem[], number, string]>([
  ['an internal error', [problem('internal')], 70, 'failed (bug): 1 problem in the way of a run.'],
  ['no error at all', [], 70, 'failed (bug): 0 problems in the way of a run.'],
  ['an error of the file', [problem('key-invalid')], 1, 'failed (config): 1 problem in the way of a run.'],
  ['a path that is not there', [problem('file-missing')], 4, 'failed (usage): 1 problem in the way of a run.'],
])('%s', (_, problems, code, line) => {
  const written: string[] = [];
  const said: string[] = [];
  const terminal = {
    stdout: { write: (text: string) => written.push(text) },
    stderr: { write: (text: string) => said.push(text) },
  } as unknown as Terminal;
  expect(refuse(problems, { entries: ['desk.ai'], isJson: true }, terminal)).toBe(code);
  expect(said.join('')).toContain(`${line}\n`);
  expect(JSON.parse(written.join(''))).toMatchObject({ failure: { class: /\((\w+)\)/.exec(line)?.[1] } });
  if (problems.length > 0) expect(exitCodeFor(problems, ['desk.ai'])).toBe(code);
});
