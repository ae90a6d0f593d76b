// Tools that other programs bring, given in code: an MCP server that npm installed, and an HTTP API.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ask, mcpServer, restTool } from 'ai-agent';

const logbook = join(import.meta.dirname, 'harbour/logbook');
const server = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js');

// Started with the first session that has it, and ended with the program.
const files = mcpServer(
  'files',
  { command: process.execPath, args: [server, logbook], cwd: logbook },
  {
    tools: ['files__list_directory'],
  },
);

// An API of ours, so that this runs without any network.
const api = createServer((_, response) => response.end(JSON.stringify({ metres: 1.2 })));
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const { port } = api.address() as AddressInfo;

const tide = restTool('tide', {
  description: 'The tide at a harbour, in metres',
  url: `http://127.0.0.1:${port}/tides?harbour=\${parameters.harbour}`,
  headers: { 'x-key': `$\{TIDE_KEY}` },
});

const outcome = await ask(
  { name: 'master', model: 'offline/demo', instructions: 'You look, then you answer.', tools: [files, tide] },
  'What is in the logbook, and how high is the tide?',
  { envOverlay: { TIDE_KEY: 'secret-of-the-harbour' } },
);
api.close();

console.log(outcome.text);
assert.equal(outcome.status, 'completed');
assert.match(outcome.text, /2026-05-02\.md/);
assert.match(outcome.text, /1\.2/);
// Servers and tools are in the ledger like everybody else.
const called = outcome.ledger.entries.flatMap((entry) =>
  entry.type === 'tool' ? [`${entry.namespace}/${entry.tool}`] : [],
);
assert.deepEqual(called.sort(), ['files/list_directory', 'rest/tide']);
