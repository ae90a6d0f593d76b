// `npm run soak`: many clients at a server, some of them killed; then installs what only the soak needs, checks its types, and runs it.
// Never longer than seven minutes.

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manyClients } from './many-clients.ts';
import { Processes } from './processes.ts';
import { smoke } from './smoke.ts';
import { runSuites } from './suites.ts';

if (process.argv.includes('--help')) {
  console.log(
    'npm run soak\n\nHas a hundred clients of the Model Context Protocol call agents at once, round after round, with kills and broken connections, and\nchecks that each has its own answer and nothing is left: that alone with npm run soak -- clients.\n\nRuns the longest suites that others wrote against ours: these two with npm run soak -- suites.\n\nRuns agents on a real durable engine, kills the process in the middle, and checks that nothing is lost or done\ntwice. Installs the engine into soak/durable the first time (npm), talks to loopback alone, ends within seven minutes.',
  );
  process.exit(0);
}

const folder = join(import.meta.dirname, 'durable');
const root = join(import.meta.dirname, '..');
const limitMs = 420_000;

const began = Date.now();
const processes = new Processes();
const data = mkdtempSync(join(tmpdir(), 'ai-agent-soak-'));
// After the processes, which write there until they are killed.
process.on('exit', () => rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
const say = (text: string) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const deadline = setTimeout(() => {
  say(`not done after ${limitMs / 1000} s`);
  process.exit(1);
}, limitMs);

try {
  await manyClients({ processes, say });
  if (process.argv.includes('clients')) process.exit(0);
  await runSuites({ processes, say });
  if (process.argv.includes('suites')) process.exit(0);
  if (!isInstalled()) await install();
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await processes.run({ name: 'tsc', file: process.execPath, args: [tsc, '-p', folder] }, 60_000);
  say('types are right');
  await smoke({ processes, folder, data, say });
  say('all of it held');
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await processes.killAll();
  clearTimeout(deadline);
  // Clients that were left in the middle may try to come back for a while.
  process.exit();
}

function isInstalled(): boolean {
  const installed = join(folder, 'node_modules/.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs;
}

async function install(): Promise<void> {
  say('npm ci in soak/durable');
  const npm = process.env.npm_execpath;
  const [file, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  await processes.run({ name: 'npm ci', file, args: [...args, 'ci', '--no-audit', '--no-fund'], cwd: folder }, 120_000);
}
