// Servers of a run are started side by side, and no more of them at once than the flag, an override or the configuration says.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

/** A server that writes down when it was started and when it has answered the handshake, which takes it a while. */
const slow = `
const { appendFileSync } = require('node:fs');
const note = (word) => appendFileSync('starts.txt', word + '\\n');
note('start');
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const send = (more) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...more }) + '\\n');
  if (method === 'initialize') setTimeout(() => {
    note('ready');
    send({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  }, 150);
  else if (method === 'tools/list') send({ result: { tools: [] } });
  else if (id !== undefined) send({ error: { code: -32601, message: 'no' } });
});`;

const mostAtOnce = async (args: readonly string[], more: object = {}) => {
  const names = ['a', 'b', 'c', 'd'];
  const server = { command: process.execPath, args: ['slow.cjs'] };
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', `tools: ${names.join(', ')}`]),
    'slow.cjs': slow,
    '.ai-agent.json': { mcpServers: Object.fromEntries(names.map((name) => [name, server])), ...more },
  });
  expect((await run(['desk.ai', '-q', ...args, 'hello'], { cwd })).code).toBe(0);
  let [now, most] = [0, 0];
  for (const word of (await readFile(join(cwd, 'starts.txt'), 'utf8')).trim().split('\n')) {
    now += word === 'start' ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
};

test('all of them, when nobody says otherwise', async () => {
  expect(await mostAtOnce([])).toBeGreaterThan(2);
});

test.each([
  ['a flag', ['--mcp-init-concurrency', '1'], {}],
  ['an override', ['--override', 'mcpInitConcurrency=1'], {}],
  ['the configuration', [], { defaults: { mcpInitConcurrency: 1 } }],
])('one after the other by %s', async (_, args, more) => {
  expect(await mostAtOnce(args, more)).toBe(1);
});
