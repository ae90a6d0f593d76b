// A small MCP server with the tools `tell` and `repo.delete`. It tells who it is: its process, its word, its roots, and what it was told, after a moment of chance.

import { createInterface } from 'node:readline';

const waiting = new Map();
let last = 0;

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function ask(method) {
  last += 1;
  send({ id: `own-${last}`, method });
  return new Promise((resolve) => waiting.set(`own-${last}`, resolve));
}

async function tell(id, { text }) {
  const { roots = [] } = process.argv.includes('roots') ? await ask('roots/list') : {};
  await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()));
  const told = { pid: process.pid, word: process.env.WORD ?? '', roots: roots.map(({ uri }) => uri), text };
  send({ id, result: { content: [{ type: 'text', text: JSON.stringify(told) }] } });
}

const serverInfo = { name: 'telling', version: '1' };
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) waiting.get(id)?.(result);
  else if (method === 'initialize')
    send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  else if (method === 'tools/list')
    send({ id, result: { tools: ['tell', 'repo.delete'].map((name) => ({ name, inputSchema })) } });
  else if (method === 'tools/call') void tell(id, params.arguments);
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
});
