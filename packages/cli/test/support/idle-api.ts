// A program with an API that is used once over MCP, and never stopped: the session stays behind.

import { createApi } from '../../src/server.ts';

const { fetch } = createApi({ agents: [{ name: 'desk', instructions: 'Answer.', model: 'offline/demo' }] });

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const response = await fetch(
  new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(initialize),
  }),
);
await response.text();
process.stdout.write(response.headers.get('mcp-session-id') ?? 'no session');
