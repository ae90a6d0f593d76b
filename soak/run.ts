// `npm run soak`: long proofs under load, faults and kills. Runs every part or those that are named, within 25 minutes.

import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import buildWhenStale from '../scripts/fresh-build.ts';
import { chaos } from './chaos.ts';
import { kills } from './kills.ts';
import { manyClients } from './many-clients.ts';
import { manySessions } from './many-sessions.ts';
import { Processes } from './processes.ts';
import { smoke } from './smoke.ts';
import { runSuites } from './suites.ts';

const help = `npm run soak [-- parts…] [--full] [--seed number] [--kills number] [--runs number]

  clients   a hundred clients of the Model Context Protocol call agents at once, round after round, with kills and broken
            connections: each has its own answer, and nothing is left
  kills     a server is killed a hundred times, at random moments and under load: whatever its clients were told is in the
            store when it is there again; --seed has the same chance again, --kills has fewer
  chaos     a model fails one request in five, in ten ways, under clients that leave: every run ends truthfully, and its
            ledger equals what the provider counted; --seed has the same faults again, --runs has fewer
  sessions  a store with a hundred thousand sessions is read as fast as one with a thousand, and is open at once after a kill
  suites    the longest suites: those that others wrote, load, thousands of odd requests, and processes that are killed
  engine    agents on a real durable engine, whose process is killed in the middle: nothing is lost or done twice. Installs
            the engine into soak/durable the first time (npm)

All of them, unless some are named. Talks to loopback alone, ends within 25 minutes. With --full every part runs at its full size,
within 60 minutes.`;

if (process.argv.includes('--help')) {
  console.log(help);
  process.exit(0);
}

const folder = join(import.meta.dirname, 'durable');
const root = join(import.meta.dirname, '..');

const began = performance.now();
const processes = new Processes();
const data = mkdtempSync(join(tmpdir(), 'ai-agent-soak-'));
// After the processes, which write there until they are killed.
process.on('exit', () => rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
const say = (text: string) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    seed: { type: 'string' },
    kills: { type: 'string' },
    runs: { type: 'string' },
  },
});
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const limitMs = values.full ? 3_600_000 : 1_500_000;
const deadline = setTimeout(() => {
  say(`not done after ${limitMs / 1000} s`);
  process.exit(1);
}, limitMs);

const parts: Readonly<Record<string, () => Promise<void>>> = {
  clients: () => manyClients({ processes, say }),
  kills: () => {
    buildWhenStale();
    const [seed, count] = [numberOf(values.seed), numberOf(values.kills)];
    return kills({ processes, say, data: folderFor('kills'), seed, kills: count });
  },
  chaos: () => {
    buildWhenStale();
    const [seed, runs] = [numberOf(values.seed), numberOf(values.runs) ?? (values.full ? 1_000 : 250)];
    return chaos({ processes, say, data: folderFor('chaos'), seed, runs });
  },
  sessions: () => manySessions({ processes, say, data: folderFor('sessions') }),
  suites: () => runSuites({ processes, say }),
  engine: runEngine,
};

try {
  const unknown = positionals.find((name) => !parts[name]);
  if (unknown !== undefined) throw new Error(`${unknown} is no part of the soak.\n\n${help}`);
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) await parts[name]?.();
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

/** A folder of its own, gone with the soak. */
function folderFor(name: string): string {
  const inside = join(data, name);
  mkdirSync(inside);
  return inside;
}

async function runEngine(): Promise<void> {
  if (!isInstalled()) await install();
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await processes.run({ name: 'tsc', file: process.execPath, args: [tsc, '-p', folder] }, 60_000);
  say('types are right');
  await smoke({ processes, folder, data: folderFor('engine'), say });
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
