// Servers that listen: started for a test on a port that was free, and ended with it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Runs a script, and waits until it writes what says that it listens. */
export async function runServer(
  script: string,
  args: (port: number) => readonly string[],
  isReady: RegExp,
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [script, ...args(port)], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await written(child, isReady);
  return { port, stop: () => stop(child) };
}

async function written(child: ChildProcess, pattern: RegExp): Promise<void> {
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-10_000);
      if (pattern.test(said)) resolve();
    });
  child.once('exit', () => reject(new Error(`It ended before it listened: ${said}`)));
  await promise;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await exited;
  clearTimeout(late);
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { readonly port: number };
  probe.close();
  await once(probe, 'close');
  return port;
}
