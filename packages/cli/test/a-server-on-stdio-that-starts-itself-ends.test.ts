// The promise: an agent whose server is a process that serves that very agent on stdio is refused there, and its model reads why; levels
// count on from process to process, and end at maxDepth. Every process is gone in the end.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelRequest } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { agentFile, command, folderWith, localProvider, run } from './support/command.ts';
import { processesWith } from './support/little-server.ts';
import { served } from './support/served.ts';

/** However wrong it goes, there are never more processes than this. */
const mostStarts = 8;

/** A folder of agents, each with a server that serves all of them; who calls whom is in the table. */
async function folderOf(calls: Readonly<Record<string, readonly string[]>>) {
  const model = await served((request) => {
    const name = nameIn(request);
    const last = request.messages.at(-1);
    if (last?.role === 'tool') return `${name}(${last.content.map(({ text }) => toReason(text)).join(', ')})`;
    const others = calls[name] ?? [];
    return others.length === 0
      ? name
      : { calls: others.map((one) => ({ name: `us__${one}`, input: { text: 'go', format: 'text' } })) };
  });
  const files = Object.entries(calls).map(([name, others]) => {
    const lines = ['models: local/m', `description: is ${name}`, ...(others.length > 0 ? ['tools: us'] : [])];
    return [`${name}.ai`, agentFile(lines, `You are ${name}.`)] as const;
  });
  // By its folder each process can be found.
  const serve = `exec "${command}" serve ${files.map(([file]) => `"$PWD/${file}"`).join(' ')} --mcp stdio`;
  const cwd = await folderWith({
    ...Object.fromEntries(files),
    'us.sh': `echo started >> starts.log\n[ "$(wc -l < starts.log)" -gt ${mostStarts} ] && exit 1\n${serve}\n`,
    '.ai-agent.json': {
      ...localProvider(model.baseUrl),
      mcpServers: { us: { command: '/bin/sh', args: ['us.sh'] } },
    },
  });
  const starts = async () => (await readFile(join(cwd, 'starts.log'), 'utf8')).trim().split('\n').length;
  return { cwd, starts, isGone: () => expect.poll(() => processesWith(cwd), { timeout: 5_000 }).toBe(0) };
}

test('itself, and by way of another', async () => {
  const { cwd, starts, isGone } = await folderOf({ a: ['a', 'b'], b: ['a', 'c'], c: [] });
  const { code, stdout } = await run(['a.ai', 'go', '-q'], { cwd });
  expect([code, stdout.trim()]).toEqual([0, 'a(agent-cycle, b(agent-cycle, c))']);
  // The one that a starts, and the one that b starts there.
  expect(await starts()).toBe(2);
  await isGone();
}, 60_000);

test('a chain of processes ends where maxDepth says', async () => {
  const { cwd, starts, isGone } = await folderOf({ a: ['b'], b: ['c'], c: ['d'], d: ['e'], e: [] });
  const { code, stdout } = await run(['a.ai', 'go', '-q'], { cwd });
  expect([code, stdout.trim()]).toEqual([0, 'a(b(c(d(depth-limit))))']);
  expect(await starts()).toBe(4);
  await isGone();
}, 60_000);

function nameIn({ system }: ModelRequest): string {
  return /You are (\w+)\./.exec(system)?.[1] ?? '';
}

function toReason(text: string): string {
  if (text.includes('is already at work above')) return 'agent-cycle';
  return text.includes('agents are above it') ? 'depth-limit' : text.trim();
}
