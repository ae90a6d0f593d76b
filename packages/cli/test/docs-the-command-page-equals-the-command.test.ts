// The promise: docs/command.md has the flags, the exit codes and the fields of the command, and no others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flags as agentFlags, toFlag } from '@ai-agent/agents';
import { type Failure, type Outcome, toFailedDocument, toOutcomeDocument } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { toForms } from '../src/commands/flag.ts';
import { commands } from '../src/commands/table.ts';
import { exitCodes } from '../src/exit-codes.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/command.md'), 'utf8');

const withFlags = Object.entries(commands).filter(([, { flags }]) => flags.length > 0);

test.each(withFlags)('the flags of %s', (command, { flags }) => {
  const onPage = tableUnder(`flag of \`${command}\``).flatMap(([cell = '']) => cell.match(/--?\w[\w-]*/g) ?? []);
  expect(onPage.sort()).toEqual([...toForms(flags).keys()].sort());
});

test('the flags of agents in the examples are real', () => {
  const used = (page.split('## Examples')[1] ?? '').match(/(?<= )--[\w-]+/g) ?? [];
  const known = new Set([...withFlags.flatMap(([, { flags }]) => [...toForms(flags).keys()]), ...agentFlags.keys()]);
  expect(used.filter((flag) => !known.has(flag))).toEqual([]);
  expect(page).toContain(`${toFlag('maxTurns')} 5`);
});

test('the exit codes', () => {
  const inCode = Object.entries({
    completed: 0,
    ...exitCodes.byClass,
    partial: exitCodes.byClass.budget,
    needs_user_input: 6,
  });
  const onPage = tableUnder('exit').flatMap(([exit, when = '']) =>
    [...(when.split(/[;:.]/)[0] ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => [word, Number(exit)]),
  );
  expect(Object.fromEntries(onPage)).toEqual(Object.fromEntries(inCode));
});

test('the fields of the document', () => {
  const failure = { class: 'config' } as Failure;
  const began = { format: 'text', sessionId: 'x', startedAt: 1, endedAt: 2, usage: {}, ledger: {}, text: '' };
  const documents = [
    { ...began, status: 'completed', isCached: true, metadata: {} },
    { ...began, status: 'partial', limit: 'maxTurns' },
    { ...began, status: 'failed', failure },
    { ...began, status: 'needs_user_input', question: {}, resume: 'x' },
  ].map((outcome) => toOutcomeDocument(outcome as unknown as Outcome));
  const fields = [...documents, toFailedDocument(failure, { problems: [] })].flatMap((document) =>
    Object.keys(document),
  );
  const onPage = tableUnder('field').map(([field = '']) => field.replaceAll('`', ''));
  expect(onPage.sort()).toEqual([...new Set(fields)].sort());
});

/** The rows of the table whose first head is this. */
function tableUnder(head: string): string[][] {
  const [, table = ''] = page.split(`\n| ${head} |`);
  const lines = table.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
