// Processes of their own that use a store: what they print is a line of JSON each.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Started {
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string>;
  /** How it ended, and what it said beside the lines. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export interface StartOptions {
  /** The user it runs as. @default the same */
  readonly uid?: number;
  /** What the shell does before. @default nothing */
  readonly before?: string;
}

/** A program of this folder. */
export function start(program: string, args: readonly string[], { uid, before = '' }: StartOptions = {}): Started {
  const command = `${before}\nexec "$0" "$@"`;
  const file = join(import.meta.dirname, program);
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn('sh', ['-c', command, process.execPath, file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = text(child.stderr);
  const ended = once(child, 'close').then(async ([code]) => ({ code: code as number | null, stderr: await said }));
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator](), ended };
}

/** To its end: what it printed. */
export async function run<T>(
  program: string,
  args: readonly string[],
  options: StartOptions = {},
): Promise<readonly T[]> {
  const { lines, ended } = start(program, args, options);
  const printed: T[] = [];
  for (let line = await lines.next(); !line.done; line = await lines.next()) printed.push(JSON.parse(line.value) as T);
  const { code, stderr } = await ended;
  if (code !== 0 || stderr !== '') throw new Error(`It ended with ${code}: ${stderr}`);
  return printed;
}
