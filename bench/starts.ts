// How fast the command starts, as strangers install it and in this clone, beside a Node that does nothing.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import buildWhenStale from '../scripts/fresh-build.ts';
import { type Installed, installPackage, repository } from '../scripts/install-package.ts';
import { type Provider, serveProvider } from './first-request.ts';

export interface Starts {
  /** Of `node -e 0`. */
  readonly bareMs: readonly number[];
  readonly commands: readonly CommandStarts[];
  readonly install: Install;
}

export interface CommandStarts {
  readonly where: 'installed' | 'clone';
  /** Until it has ended. */
  readonly versionMs: readonly number[];
  /** Until the first request of a run is at the provider. */
  readonly requestMs: readonly number[];
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
    const commands = [
      { where: 'installed' as const, file: command, versionMs: [] as number[], requestMs: [] as number[] },
      {
        where: 'clone' as const,
        file: join(repository, 'node_modules/.bin/ai-agent'),
        versionMs: [] as number[],
        requestMs: [] as number[],
      },
    ];
    for (let i = -1; i < count; i++) {
      const bare = await timeToEnd('node', ['-e', '0'], folder);
      if (i >= 0) bareMs.push(bare);
      for (const { file, versionMs, requestMs } of commands) {
        const version = await timeToEnd(file, ['--version'], folder);
        const begun = performance.now();
        const [askedAt] = await Promise.all([provider.nextRequest(), timeToEnd(file, ['hello.ai', 'hello'], folder)]);
        if (i < 0) continue;
        versionMs.push(version);
        requestMs.push(askedAt - begun);
      }
    }
    return { bareMs, commands: commands.map(({ file: _, ...times }) => times) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
  // The Node that runs us, whatever else is on the path.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const cache = join(folder, 'cache');
  const begun = performance.now();
  const child = spawn(command, args, {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: path, HOME: join(folder, 'home'), NODE_COMPILE_CACHE: cache },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  const tookMs = performance.now() - begun;
  if (code !== 0) throw new TypeError(`${command} ${args.join(' ')} ended with ${code}.`);
  return tookMs;
}

async function weigh({ folder }: Installed): Promise<Install> {
  const modules = join(folder, 'node_modules');
  const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
  const names = await readdir(modules, { recursive: true });
  const sizes = await Promise.all(['.', ...names].map(async (name) => (await lstat(join(modules, name))).size));
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), packages: Object.keys(lock.packages).length };
}
