// The floor of a start on stdio: a server of the official SDK with one tool, and nothing behind it.

import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const tools = [{ name: 'hello', inputSchema: { type: 'object' } }];

serveStdio(() => {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'Hello' }] }));
  return server;
});
