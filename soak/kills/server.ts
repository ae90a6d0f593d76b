// The real command, serving the team from a store: started, asked for the first time, and killed.

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Processes, Started } from '../processes.ts';

const command = join(import.meta.dirname, '../../node_modules/.bin/ai-agent');
const path = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

export interface Place {
  readonly processes: Processes;
  /** Where the team is; its home is inside. */
  readonly folder: string;
}

export interface Server {
  readonly url: string;
  readonly process: Started;
  /** From its start to the first reply that needed the store. */
  readonly firstReplyMs: number;
}

/** Settles with the first reply. Throws what it said when it does not come to that. */
export async function startServer(place: Place, store: string): Promise<Server> {
  const began = performance.now();
  const process = spawnServer(place, store);
  const [, url = ''] = await process.heard(/"url":"([^"]+)"/);
  const response = await fetch(`${url}/v1/sessions?limit=1`, { signal: AbortSignal.timeout(20_000) });
  const body = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${body}\n${process.said()}`);
  return { url, process, firstReplyMs: performance.now() - began };
}

/** Started, and not waited for. */
export function spawnServer({ processes, folder }: Place, store: string): Started {
  const args = ['serve', folder, '--port', '0', '--store', store, '--json'];
  return processes.start({ name: 'the server', file: command, args, cwd: folder, env: envIn(folder) });
}

/** What the command says about its sessions, read. */
export async function listSessions({ folder }: Place, store: string): Promise<readonly Listed[]> {
  const args = ['sessions', 'list', '--store', store, '--all', '--json'];
  const options = { cwd: folder, env: envIn(folder), timeout: 60_000, maxBuffer: 256 * 1024 ** 2 };
  const { stdout } = await promisify(execFile)(command, args, options);
  const said = JSON.parse(stdout) as readonly Listed[] | { readonly sessions: readonly Listed[] };
  return 'sessions' in said ? said.sessions : said;
}

export interface Listed {
  readonly id: string;
  readonly status: string;
}

function envIn(folder: string): Record<string, string> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  // Half of the time of a start is reading our sources: they are kept read.
  return { PATH: path, HOME: home, NODE_COMPILE_CACHE: join(tmpdir(), 'ai-agent-test-cache') };
}
