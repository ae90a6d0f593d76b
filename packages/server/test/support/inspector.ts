// The inspector of the protocol's makers as a command: one process for each thing that is asked.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll } from 'vitest';

export type Era = 'legacy' | 'modern';

export interface Inspection {
  /** An address, or a command. */
  readonly target: readonly string[];
  readonly transport: 'http' | 'sse' | 'stdio';
  readonly era: Era;
}

export interface Inspected {
  readonly code: number | null;
  /** What it was told, read. */
  readonly result: ReturnType<typeof JSON.parse>;
  readonly stderr: string;
}

const root = join(import.meta.dirname, '../../../..');
const program = join(root, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const guard = pathToFileURL(join(import.meta.dirname, 'only-this-machine.mjs')).href;

/** Where it keeps what it likes to keep, and what Node has compiled of it. */
const home = mkdtempSync(join(tmpdir(), 'inspector-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** At once: each is as much work as a core has. */
const most = 2;
let running = 0;
const waiting: (() => void)[] = [];

export async function inspect(
  { target, transport, era }: Inspection,
  options: readonly string[],
  signal?: AbortSignal,
): Promise<Inspected> {
  if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    const how = ['--transport', transport, '--protocol-era', era, '--format', 'json', ...options];
    return await run([...target, ...how], signal);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

function run(args: readonly string[], signal: AbortSignal | undefined): Promise<Inspected> {
  const child = spawn(process.execPath, [program, '--cli', ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      NODE_COMPILE_CACHE: join(home, 'compiled'),
      NODE_OPTIONS: `--import=${guard}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(signal ? { signal } : {}),
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const { stdout, stderr } = said;
      try {
        resolve({ code, result: stdout === '' ? undefined : JSON.parse(stdout).result, stderr });
      } catch (cause) {
        reject(new Error(`It said ${stdout}`, { cause }));
      }
    });
  });
}
