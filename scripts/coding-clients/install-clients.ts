// Programs of others that take an agent for their model, each in one version, in a folder that is gone afterwards.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Processes } from '../../soak/processes.ts';

export const versions = {
  '@openai/codex': '0.166.0',
  'opencode-ai': '1.18.33',
  '@anthropic-ai/claude-code': '2.1.325',
} as const;

/** Gives the folder of their commands. */
export async function installClients(processes: Processes, folder: string): Promise<string> {
  // Two of them put their program in its place after they are installed.
  const allowScripts = Object.fromEntries(Object.keys(versions).map((name) => [name, true]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions, allowScripts }));
  const npm = process.env.npm_execpath;
  const [file, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  await processes.run({ name: 'npm install', file, args: [...args, 'install', ...quiet], cwd: folder }, 300_000);
  return join(folder, 'node_modules/.bin');
}
