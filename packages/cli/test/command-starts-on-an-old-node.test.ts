// The promise: the command says its version on any Node, finds a newer one by itself, and otherwise says what is missing.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { asBuilt } from './support/as-built.ts';
import { startInTerminal } from './support/pty.ts';

interface Facts {
  readonly version: string;
  readonly isBuilt: boolean;
  readonly pinned: { readonly path: string; readonly version: string } | null;
  readonly isReexecuted: boolean;
}
type Decision = { action: 'run' } | { action: 're-execute'; node: string } | { action: 'refuse'; message: string };

const require = createRequire(import.meta.url);
const { decide } = require('../bin/ai-agent.cjs') as { decide: (facts: Facts) => Decision };
const version = (require('../package.json') as { version: string }).version;
const pinnedNode = dirname(require.resolve('node/package.json'));
const command = join(dirname(pinnedNode), '.bin', 'ai-agent');
const oldNode = findOldNode();

describe('what to do on this Node', () => {
  const pinned = { path: '/pinned/node', version: '24.0.0' };
  const facts: Facts = { version: '20.0.0', isBuilt: true, pinned: null, isReexecuted: false };

  it.each([
    ['22.12.0', true, 'refuse'],
    ['22.13.0', true, 'run'],
    ['22.17.9', false, 'refuse'],
    ['22.18.0', false, 'run'],
    ['23.0.0', true, 'run'],
    ['23.5.0', false, 'refuse'],
    ['23.6.0', false, 'run'],
    ['24.0.0', false, 'run'],
    ['100.0.0', false, 'run'],
  ] as const)('on %s, built: %s, the answer is to %s', (version, isBuilt, action) => {
    expect(decide({ ...facts, version, isBuilt }).action).toBe(action);
  });

  it('re-executes with the pinned Node when that one is new enough', () => {
    expect(decide({ ...facts, pinned })).toEqual({ action: 're-execute', node: '/pinned/node' });
    expect(decide({ ...facts, pinned: { ...pinned, version: '18.0.0' } }).action).toBe('refuse');
  });

  it('does not re-execute on a Node that can run it', () => {
    expect(decide({ ...facts, version: '24.1.0', pinned }).action).toBe('run');
  });

  it('never re-executes twice', () => {
    expect(decide({ ...facts, pinned, isReexecuted: true }).action).toBe('refuse');
  });

  it('says in one line what is needed and what is there', () => {
    const decision = decide(facts);
    expect(decision).toMatchObject({ action: 'refuse', message: expect.stringMatching(/22\.13.*20\.0\.0/) });
    expect(decision).toMatchObject({ message: expect.stringMatching(/upgrade Node, or, in a clone, run "npm ci"/) });
    expect(decision).not.toMatchObject({ message: expect.stringContaining('\n') });
  });
});

describe('the installed command', () => {
  it.each(['--version', '-V'])('says its version with %s', (flag) => {
    expect(execFileSync(process.execPath, [command, flag], { encoding: 'utf8' })).toBe(`${version}\n`);
  });
});

describe.skipIf(oldNode === undefined)('on a Node that is too old', () => {
  const node = oldNode as string;
  const folders: string[] = [];
  const install = (main: string, pinned?: (folder: string) => void) => {
    const folder = installInto(mkdtempSync(join(tmpdir(), 'ai-agent-')), main, pinned);
    folders.push(folder);
    return join(folder, 'dist', 'ai-agent.cjs');
  };
  const linkPinned = (folder: string) => symlinkSync(pinnedNode, join(folder, 'node_modules', 'node'));

  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });

  it('says its version', () => {
    expect(execFileSync(node, [command, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
  });

  it('runs on the pinned one, with its arguments, its streams and its exit code, and hides the guard', () => {
    const entry = install(
      `const { readFileSync } = require('node:fs');
       exports.main = async (args) => {
         console.log(JSON.stringify([process.versions.node, args, readFileSync(0, 'utf8'), 'AI_AGENT_REEXECUTED' in process.env]));
         return 5;
       }`,
      linkPinned,
    );
    const result = spawnSync(node, [entry, 'run', '--x=a b'], { encoding: 'utf8', input: 'piped' });
    const { version: pinnedVersion } = require('node/package.json') as { version: string };
    expect(result.stderr).toBe('');
    expect(JSON.parse(result.stdout)).toEqual([pinnedVersion, ['run', '--x=a b'], 'piped', false]);
    expect(result.status).toBe(5);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('hands %s on, once', async (signal) => {
    const entry = install(
      `exports.main = () => {
         let count = 0;
         process.on('${signal}', () => { count += 1; });
         console.log('ready');
         return new Promise((resolve) => {
           const timer = setInterval(() => { if (count > 0) { clearInterval(timer); setTimeout(() => resolve(40 + count), 100); } }, 10);
         });
       }`,
      linkPinned,
    );
    const child = spawn(node, [entry], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([41, null]);
  });

  it('hands it on in a terminal too, where nobody else may have sent it to the child', async () => {
    const entry = install(
      `exports.main = function () {
         process.on('SIGINT', () => process.exit(41));
         console.log('ready');
         return new Promise(() => setTimeout(() => {}, 10_000));
       }`,
      linkPinned,
    );
    const terminal = startInTerminal([entry], { cwd: dirname(entry), program: node });
    await terminal.shows('ready');
    terminal.pty.kill('SIGINT');
    expect(await terminal.ended).toBe(41);
  });

  it('dies of the signal its child died of', async () => {
    const entry = install(
      `exports.main = () => {
         process.kill(process.pid, 'SIGTERM');
         return new Promise(() => setTimeout(() => {}, 10_000));
       }`,
      linkPinned,
    );
    expect(await once(spawn(node, [entry], { stdio: 'ignore' }), 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('says what is needed when no other Node is installed', () => {
    const result = spawnSync(node, [install('')], { encoding: 'utf8' });
    expect(result.stderr).toMatch(/^ai-agent needs Node 22\.13 or newer, and this is .*\n$/);
    expect(result.status).toBe(1);
  });

  it('gives up instead of going round when the pinned Node is not what it claims', () => {
    const entry = install('', (folder) => {
      const fake = join(folder, 'node_modules', 'node');
      mkdirSync(join(fake, 'bin'), { recursive: true });
      symlinkSync(node, join(fake, 'bin', 'node'));
      writeFileSync(join(fake, 'package.json'), JSON.stringify({ version: '24.0.0', bin: { node: 'bin/node' } }));
    });
    const result = spawnSync(node, [entry], { encoding: 'utf8' });
    expect(result.stderr).toMatch(/^ai-agent needs Node .*\n$/);
    expect(result.status).toBe(1);
  });
});

/** A published package as it lies on a user's disk: our entry, and a made-up main. */
function installInto(folder: string, main: string, pinned?: (folder: string) => void): string {
  cpSync(join(import.meta.dirname, '..', 'bin'), join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', version }));
  writeFileSync(join(folder, 'dist', 'main.cjs'), asBuilt(main));
  mkdirSync(join(folder, 'node_modules'));
  pinned?.(folder);
  return folder;
}

/** npm puts the pinned Node first in PATH; the machine's own is further back. */
function findOldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders.map((folder) => join(folder, 'node')).find((node) => existsSync(node) && isTooOld(node));
}

function isTooOld(node: string): boolean {
  const [major = 0, minor = 0] = execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    .split('.')
    .map(Number);
  return major < 22 || (major === 22 && minor < 13);
}
