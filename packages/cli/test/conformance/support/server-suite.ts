// The server suite of the protocol, against the command that serves the fixture agents.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
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

export interface Ran {
  readonly checks: readonly Check[];
  readonly output: string;
}

export async function runServerScenario(url: string, name: string, revision: string): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const args = ['server', '--url', url, '--scenario', name, '--spec-version', revision, '--output-dir', folder];
    const child = spawn(process.execPath, [suite, ...args], { cwd: folder, env });
    const tooLate = setTimeout(() => child.kill('SIGKILL'), 50_000);
    const ended = once(child, 'close').finally(() => clearTimeout(tooLate));
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { checks: await readChecks(folder), output: `${said}\n${complained}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
