// The package as strangers get it: packed, and installed from the file into an empty folder. Nobody is asked over the network.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const repository = join(import.meta.dirname, '..');

export interface Packed {
  readonly filename: string;
  /** In bytes, as a file. */
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

export interface Installed {
  /** Where somebody would work: `node_modules` is in it, and `home`, which is empty. */
  readonly folder: string;
  readonly command: string;
  readonly packed: Packed;
  remove(): Promise<void>;
}

/** Of the build as it is: whoever wants a fresh one sees to it before. */
export async function installPackage(): Promise<Installed> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'installed-')));
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const [packed] = JSON.parse(
    await npm(repository, ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]),
  ) as [Packed];
  await npm(folder, ['install', packed.filename, '--omit=dev', '--ignore-scripts', '--offline']);
  return {
    folder,
    command: join(folder, 'node_modules/.bin/ai-agent'),
    packed,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function npm(cwd: string, args: readonly string[]): Promise<string> {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const { stdout } = await execute('npm', [...args, ...quiet], { cwd });
  return stdout;
}
