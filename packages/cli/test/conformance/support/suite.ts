// The client suite of the protocol, one scenario after the other, against the built command.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serveScript } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { obedient } from './obedient-model.ts';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description: string;
  readonly errorMessage?: string;
}

/** A scenario at a revision, or at whatever the suite takes when there is none. */
export type Scenario = readonly [name: string, revision?: string];

/** Each of them has to make at least one check, and none may fail or warn. */
export function passes(scenarios: readonly Scenario[]): void {
  test.concurrent.each(scenarios.map(([name, revision]) => ({ name, revision, at: revision ?? '' })))(
    '$name $at',
    { timeout: 120_000 },
    async ({ name, revision }) => {
      const { code, checks, output } = await inTurn(() => runScenario(name, revision));
      const broken = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      expect(broken.map(toLine), output).toEqual([]);
      expect(checks.filter(({ status }) => status === 'SUCCESS').length, output).toBeGreaterThan(0);
      expect(code, output).toBe(0);
    },
  );
}

const mostAtOnce = 3;
const turns = Array.from({ length: mostAtOnce }, () => Promise.resolve<unknown>(undefined));
let next = 0;

/** Few at a time: some scenarios look at the clock. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = next++ % mostAtOnce;
  const done = (turns[turn] ?? Promise.resolve()).then(work);
  turns[turn] = done.catch(() => {});
  return done;
}

export const suite = join(
  import.meta.dirname,
  '../../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

async function runScenario(name: string, revision: string | undefined) {
  const model = await serveScript(obedient);
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const client = `${process.execPath} ${join(import.meta.dirname, 'client-under-test.ts')}`;
    const args = ['client', '--command', client, '--scenario', name, '--output-dir', folder, '--timeout', '45000'];
    if (revision !== undefined) args.push('--spec-version', revision);
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, MODEL_URL: model.baseUrl };
    const child = spawn(process.execPath, [suite, ...args], { cwd: folder, env, detached: true });
    // Ends the client too, and what it started.
    const tooLate = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 50_000);
    const ended = once(child, 'close').finally(() => clearTimeout(tooLate));
    const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, checks: await readChecks(folder), output: `${said}\n${complained}` };
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function readChecks(folder: string): Promise<readonly Check[]> {
  const names = await readdir(folder, { recursive: true });
  const file = names.find((name) => name.endsWith('checks.json'));
  return file === undefined ? [] : JSON.parse(await readFile(join(folder, file), 'utf8'));
}

export function toLine({ id, status, description, errorMessage }: Check): string {
  return `${status} ${id}: ${errorMessage ?? description}`;
}
