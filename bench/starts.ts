// How fast the command starts, as strangers install it and in this clone, beside a Node that does nothing and a server of the SDK that has nothing behind it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import buildWhenStale from '../scripts/fresh-build.ts';
import { type Installed, installPackage, repository } from '../scripts/install-package.ts';
import { type Starting, timeToAnswer } from './first-answer.ts';
import { type Provider, serveProvider } from './first-request.ts';

export interface Starts {
  /** Of `node -e 0`. */
  readonly bareMs: readonly number[];
  /** Of a server of the SDK on stdio, until it has answered. */
  readonly bareAnswerMs: readonly number[];
  readonly commands: readonly CommandStarts[];
  readonly install: Install;
}

export interface CommandStarts {
  readonly where: 'installed' | 'clone';
  /** Until it has ended. */
  readonly versionMs: readonly number[];
  /** Until the first request of a run is at the provider. */
  readonly requestMs: readonly number[];
  /** Of the same run until it has ended and its session is in the store, and of one that nothing is kept of. */
  readonly keptMs: readonly number[];
  readonly unkeptMs: readonly number[];
  /** Of `serve --mcp stdio`, until the client has its first answer. */
  readonly answerMs: readonly number[];
}

export interface Install {
  /** Of `node_modules`, as `du -sb` counts. */
  readonly bytes: number;
  readonly packages: number;
}

export async function measureStarts(count: number, tell: (progress: string) => void): Promise<Starts> {
  tell('starts: the package is installed');
  buildWhenStale();
  const installed = await installPackage();
  const provider = await serveProvider();
  try {
    const install = await weigh(installed);
    tell(`starts: ${count} of each command`);
    return { ...(await takeTurns(count, installed, provider)), install };
  } finally {
    provider.close();
    await installed.remove();
  }
}

/** Each goes once before it counts: a second start finds what the first has kept. */
async function takeTurns(count: number, { command }: Installed, provider: Provider): Promise<Omit<Starts, 'install'>> {
  const folder = await agentFolder(provider.baseUrl);
  try {
    const bareMs: number[] = [];
    const bareAnswerMs: number[] = [];
    const place = placeIn(folder);
    const commands = [
      { where: 'installed' as const, file: command, ...nothingYet() },
      { where: 'clone' as const, file: join(repository, 'node_modules/.bin/ai-agent'), ...nothingYet() },
    ];
    for (let i = -1; i < count; i++) {
      const bare = await timeToEnd('node', ['-e', '0'], folder);
      const bareAnswer = await timeToAnswer('node', [bareMcp], place);
      if (i >= 0) {
        bareMs.push(bare);
        bareAnswerMs.push(bareAnswer);
      }
      for (const { file, versionMs, requestMs, keptMs, unkeptMs, answerMs } of commands) {
        const version = await timeToEnd(file, ['--version'], folder);
        const begun = performance.now();
        const run = ['hello.ai', 'hello'];
        const [askedAt, kept] = await Promise.all([provider.nextRequest(), timeToEnd(file, run, folder)]);
        const unkept = await timeToEnd(file, [...run, '--no-store'], folder);
        const answer = await timeToAnswer(file, ['serve', 'hello.ai', '--mcp', 'stdio'], place);
        if (i < 0) continue;
        versionMs.push(version);
        requestMs.push(askedAt - begun);
        keptMs.push(kept);
        unkeptMs.push(unkept);
        answerMs.push(answer);
      }
    }
    return { bareMs, bareAnswerMs, commands: commands.map(({ file: _, ...times }) => times) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const bareMcp = join(import.meta.dirname, 'bare-mcp.mjs');

function nothingYet() {
  const none = (): number[] => [];
  return { versionMs: none(), requestMs: none(), keptMs: none(), unkeptMs: none(), answerMs: none() };
}

async function agentFolder(baseUrl: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
  await mkdir(join(folder, 'home'));
  const providers = { local: { type: 'openai-compatible', baseUrl, apiKey: 'bench' } };
  await writeFile(join(folder, '.ai-agent.json'), JSON.stringify({ providers }));
  await writeFile(join(folder, 'hello.ai'), '---\ndescription: Says hello\nmodels: local/m\n---\nYou say hello.\n');
  return folder;
}

async function timeToEnd(command: string, args: readonly string[], folder: string): Promise<number> {
  const begun = performance.now();
  const child = spawn(command, args, { ...placeIn(folder), stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  const tookMs = performance.now() - begun;
  if (code !== 0) throw new TypeError(`${command} ${args.join(' ')} ended with ${code}.`);
  return tookMs;
}

function placeIn(folder: string): Starting {
  // The Node that runs us, whatever else is on the path.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH: path, HOME: join(folder, 'home'), NODE_COMPILE_CACHE: join(folder, 'cache') };
  return { cwd: folder, env };
}

async function weigh({ folder }: Installed): Promise<Install> {
  const modules = join(folder, 'node_modules');
  const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
  const names = await readdir(modules, { recursive: true });
  const sizes = await Promise.all(['.', ...names].map(async (name) => (await lstat(join(modules, name))).size));
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), packages: Object.keys(lock.packages).length };
}
