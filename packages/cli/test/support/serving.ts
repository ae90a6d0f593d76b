// The real command as a server, on a free port, gone with the test.

import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { command, type Later, path } from './command.ts';

export interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  /** All of its ports. */
  readonly ports: readonly number[];
  readonly agents: readonly string[];
  /** What it has said so far. */
  stderr(): string;
  stdout(): string;
  /** Lines of its log, read. */
  log(): readonly Readonly<Record<string, unknown>>[];
  readonly ended: Promise<number | null>;
  get(route: string, init?: RequestInit): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface ServeStart {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file that takes its stderr. @default it is read here */
  readonly stderr?: number;
  /** @default after the test */
  readonly later?: Later;
}

/** These arguments and `--json`. Settles when it listens; rejects with what it said when it does not. */
export async function serving(
  args: readonly string[],
  { cwd, env = {}, stderr, later = onTestFinished }: ServeStart,
): Promise<Serving> {
  const cache = { NODE_COMPILE_CACHE: join(tmpdir(), 'ai-agent-test-cache') };
  const child = spawn(command, [...args, '--json'], {
    cwd,
    env: { PATH: path, HOME: join(cwd, 'home'), ...cache, ...env },
    stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
  });
  later(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said.stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      said.stdout += text;
      if (/^\{"(url|ports)".*\n/.test(said.stdout)) resolve(said.stdout);
    });
    ended.then((code) => reject(new Error(`It ended with ${code}: ${said.stdout}${said.stderr}`)));
  });
  const { url, port, ports, agents } = JSON.parse(line);
  return {
    child,
    url,
    port,
    ports,
    agents,
    stderr: () => said.stderr,
    stdout: () => said.stdout,
    log: () => said.stderr.split('\n').flatMap((one) => (one.startsWith('{') ? [JSON.parse(one)] : [])),
    ended,
    async get(route, init) {
      const response = await fetch(`${url}${route}`, init);
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
  };
}
