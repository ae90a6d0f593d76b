// The promise: files as people bring them run on models over real HTTP, and every request says exactly what it should.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from './support/command.ts';
import { expectUpstream } from './support/corpus/expectation.ts';
import { corpus, files } from './support/corpus/files.ts';
import { openGateway } from './support/corpus/gateway.ts';
import { onModels, type Run } from './support/corpus/run.ts';
import { contracts } from './support/corpus/teams/contracts.ts';
import { operations } from './support/corpus/teams/operations.ts';
import { groups } from './support/corpus/teams/research.ts';
import { support } from './support/corpus/teams/support.ts';
import { writing } from './support/corpus/teams/writing.ts';

const teams = [...support, ...groups, ...operations, ...writing, ...contracts];
const named = (name: string) => teams.filter((team) => team.name === name);

const runs: readonly Run[] = [
  ...teams,
  ...named('support-billing').map((team) => onModels('claude/claude-sonnet-4-5', team)),
  ...named('ops-status-page').map((team) => onModels('openai/gpt-4.1', team)),
];

test.each(runs)('$name', async ({ name, args, script, stdout, stderr = '', code = 0, calls = [], tickets, again }) => {
  const gateway = await openGateway(script);
  const home = await mkdtemp(join(tmpdir(), 'corpus-'));
  onTestFinished(async () => {
    await gateway.close();
    await rm(home, { recursive: true, force: true });
  });
  const runIt = async () => {
    const ended = await run([...args, '-q'], { cwd: corpus, env: { HOME: home, GATEWAY_URL: gateway.url } });
    return { ...ended, stderr: ended.stderr.replace(/(sessions resume) \w{26} /, '$1 <id> ') };
  };
  expect(await runIt()).toEqual({ code, stdout, stderr });
  await expectUpstream(name, script, gateway);
  expect(gateway.calls.toSorted()).toEqual([...calls].sort());
  if (tickets) expect(await linesOf(join(home, 'tickets.jsonl'))).toEqual(tickets);
  if (!again) return;
  const before = gateway.upstream.length;
  expect(await runIt()).toEqual({ code, stdout, stderr });
  expect([...new Set(gateway.upstream.slice(before).map(({ agent }) => agent))].sort()).toEqual([...again].sort());
});

async function linesOf(file: string): Promise<readonly unknown[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('every file has its part in one of them', () => {
  const played = new Set(teams.flatMap(({ script }) => Object.keys(script)).map((agent) => `${agent}.ai`));
  expect(files.filter((file) => !played.has(file))).toEqual([]);
});
