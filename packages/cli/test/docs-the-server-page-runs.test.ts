// The promise: docs/server.md works as written: its servers start, its requests are sent by curl, and what stands below them comes.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readApiSettings } from '@ai-agent/agents';
import { ask, loadAgent } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from './support/command.ts';

const repository = join(import.meta.dirname, '../../..');
const page = readFileSync(join(repository, 'docs/server.md'), 'utf8').replaceAll('\r\n', '\n');

// A folder as a clone is: with the examples, and with what npm installed.
const folder = mkdtempSync(join(repository, '.server-'));
const servers: ChildProcess[] = [];
/** By the port that the page says. */
const ports = new Map<string, string>();

interface Block {
  readonly language: string;
  readonly text: string;
  /** The line above it. */
  readonly before: string;
}

const blocks: readonly Block[] = [...page.matchAll(/(?<=^(.*)\n\n)^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, before = '', language = '', text = '']) => ({ before, language, text }),
);
const isServer = ({ language, text }: Block) => language === 'sh' && text.startsWith('npx ai-agent serve ');
const requests = blocks.filter((block) => block.language === 'sh' && !isServer(block));
/** What the page shows below a request. */
const shownBelow = (block: Block) => {
  const next = blocks[blocks.indexOf(block) + 1];
  return next && ['text', 'json'].includes(next.language) ? next.text : undefined;
};
const outputs = new Map<Block, string>();

beforeAll(async () => {
  for (const name of ['node_modules', 'examples']) symlinkSync(join(repository, name), join(folder, name));
  // One after the other: some go on with what an earlier one wrote.
  for (const block of blocks) {
    const [, name] = /Save this as `([\w./-]+)`/.exec(block.before) ?? [];
    if (isServer(block)) await serve(block.text);
    else if (block.language === 'sh') outputs.set(block, await run(block.text));
    else if (name !== undefined) writeFileSync(join(folder, name), withPorts(block.text));
  }
}, 60_000);

afterAll(async () => {
  for (const server of servers) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

test('these servers, and requests to them', () => {
  expect([...ports.keys()].sort()).toEqual(['8080', '8081', '8082']);
  expect(requests.length).toBeGreaterThan(8);
});

const shown = requests.filter((block) => shownBelow(block) !== undefined);

test.each(shown.map((block) => [block.text.trim(), block] as const))('%s', (_, block) => {
  expect(outputs.get(block)?.trimEnd()).toBe(shownBelow(block)?.trimEnd());
});

test('those that show nothing do what the words beside them say', () => {
  const outputOf = (part: string) => outputs.get(requests.find(({ text }) => text.includes(part)) as Block) ?? '';
  expect(Object.keys(JSON.parse(outputOf('8080/v1\n')))).toEqual(['agents']);
  const events = [...outputOf('accept: text/event-stream').matchAll(/^event: (.*)$/gm)].map(([, event]) => event);
  expect([events[0], ...new Set(events.slice(1))]).toEqual(['session', 'text', 'outcome']);
  expect(readFileSync(join(folder, 'events.txt'), 'utf8')).toMatch(/^id: 1\nevent: session-start\n/);
  expect(readFileSync(join(folder, 'head.txt'), 'utf8')).toMatch(/^x-ai-agent-status: needs_user_input\r$/m);
  expect(outputOf('/answer')).toContain('Before ten.');
});

test('nothing of the clone is overwritten: its own configuration is left alone', () => {
  expect(existsSync(join(folder, '.ai-agent.json'))).toBe(false);
});

test('the section of all that can be said is one that a server takes', () => {
  const cwd = join(folder, 'whole');
  mkdirSync(cwd);
  const section = blocks.find(({ language }) => language === 'jsonc')?.text ?? '';
  writeFileSync(join(cwd, '.ai-agent.json'), section);
  const { settings, problems } = readApiSettings({ cwd, env: { NIGHT_SHIFT_HASH: `sha256:${'0'.repeat(64)}` } });
  expect(problems).toEqual([]);
  expect(Object.keys(settings.keys ?? {})).toEqual(['website', 'night-shift']);
  expect(settings).toMatchObject({ host: '0.0.0.0', concurrency: 20, graceMs: 60_000 });
});

test('a model that has the team as its tools calls them, with the key', async () => {
  const { key } = JSON.parse(readFileSync(join(folder, 'my-server/key.json'), 'utf8'));
  const { agent, session } = await loadAgent('front/front.ai', { cwd: folder, env: { RELEASE_DESK_KEY: key } });
  const calls = ['faq', 'note'].map((name) => ({
    name: `rest__release_call_${name}`,
    input: { body: { text: 'Version 2.4 adds offline mode.' } },
  }));
  const model = scriptedModel([{ calls }, 'done']);
  expect(await ask({ ...agent, model }, 'Go.', session)).toMatchObject({ status: 'completed', text: 'done' });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
  const results = model.requests[1]?.messages.filter(({ role }) => role === 'tool').map((one) => JSON.stringify(one));
  expect(results?.join('').match(/2\.4 adds offline mode/g)?.length).toBeGreaterThanOrEqual(2);
});

/** As the page says, on a port that is free. */
async function serve(line: string): Promise<void> {
  const [, , ...words] = line.trim().split(' ');
  const port = words.at(-1) ?? '';
  const env = { PATH: process.env.PATH, HOME: folder };
  const server = spawn(command, [...words.slice(0, -1), '0'], { cwd: folder, env });
  servers.push(server);
  ports.set(port, await portOf(server));
}

/** It says where it listens. */
function portOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(port);
    };
    server.stdout?.on('data', hear);
    server.stderr?.on('data', hear);
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });
}

/** What it prints. curl has to be there: it is what the page is about. */
async function run(block: string): Promise<string> {
  const options = { cwd: folder, timeout: 20_000, env: { PATH: process.env.PATH, HOME: folder } };
  return (await promisify(execFile)('sh', ['-ec', withPorts(block)], options)).stdout;
}

function withPorts(text: string): string {
  return text.replace(/127\.0\.0\.1:(\d+)/g, (_, port: string) => `127.0.0.1:${ports.get(port)}`);
}
