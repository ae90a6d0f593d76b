// The server suite of the protocol, against the command that serves the fixture agents.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Check, readChecks, suite } from './suite.ts';

const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };

/** Every scenario that there is, with the revisions it is for, or the word `extension`. */
export async function listScenarios(): Promise<ReadonlyMap<string, readonly string[]>> {
  const child = spawn(process.execPath, [suite, 'list', '--server'], { env });
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const lines = [...said.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)];
  return new Map(lines.map(([, name = '', revisions = '']) => [name, revisions.split(',')]));
}

export type Found = Map<string, readonly Check[]>;

export interface Running {
  /** @default the newest that each scenario knows, and extensions too */
  readonly revision?: string;
  /** @default all of them */
  readonly scenario?: string;
}

/** What the suite found in each scenario. */
export async function runServerSuite(url: string, { revision, scenario }: Running = {}): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const args = ['server', '--url', url, '--output-dir', folder];
    args.push(...(scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario]));
    if (revision !== undefined) args.push('--spec-version', revision);
    const child = spawn(process.execPath, [suite, ...args], { cwd: folder, env });
    const ended = once(child, 'close');
    await Promise.all([text(child.stdout), text(child.stderr), ended]);
    const folders = await readdir(folder);
    const found = folders.map(async (name) => [scenarioOf(name), await readChecks(join(folder, name))] as const);
    return new Map(await Promise.all(found));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `server-ping-2026-11-16T02-48-54-170Z` */
function scenarioOf(folder: string): string {
  return folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
}
