// Real folders with configuration files in them, for tests; gone when the test is.

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ConfigFiles } from '../src/config/config-file.ts';
import { type ConfigurationOptions, openConfiguration } from '../src/config/configuration.ts';
import { Problems } from '../src/problem.ts';

/** Paths below a new folder to what is in them; an object is written as JSON. Gives the folder. */
export async function writeFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'config-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

type Options = Partial<Omit<ConfigurationOptions, 'cwd'>> & { readonly cwd?: string };

/** Folders are `cwd`, `agent`, `home` and `etc` below the new one. */
export async function openFolder(files: Readonly<Record<string, unknown>>, options: Options = {}) {
  const folder = await writeFolder({ 'cwd/.keep': '', 'agent/.keep': '', ...files });
  const problems = new Problems();
  const places = {
    cwd: join(folder, 'cwd'),
    agentFolder: join(folder, 'agent'),
    homeFolder: join(folder, 'home'),
    systemFolder: join(folder, 'etc'),
    environment: {},
    ...options,
  };
  const loaded = new ConfigFiles(problems);
  const configuration = openConfiguration(places, loaded);
  return { folder, places, problems, files: loaded, configuration };
}

/** Everything that would be said about these files, checked. */
export async function problemsOf(files: Readonly<Record<string, unknown>>) {
  const { folder, configuration, problems } = await openFolder(files);
  configuration.check(problems);
  return problems.all.map((problem) => ({ ...problem, file: problem.file.slice(folder.length + 1) }));
}
