// A server whose tools change while it runs, and say so.

import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const nothing = fromJsonSchema<Record<string, unknown>>({ type: 'object' });
const say = (text: string) => () => ({ content: [{ type: 'text' as const, text }] });

const server = new McpServer(
  { name: 'changing', version: '1' },
  { capabilities: { logging: {} }, instructions: '  Call change first.\n\nThen look again. ' },
);
const old = server.registerTool('old', { title: 'The old one', inputSchema: nothing }, say('old is here'));
server.registerTool('change', { inputSchema: nothing }, async () => {
  old.remove();
  server.registerTool('new', { inputSchema: nothing }, say('new is here'));
  return say('changed')();
});
server.registerTool('complain', { inputSchema: nothing }, async () => {
  await server.server.sendLoggingMessage({ level: 'warning', logger: 'disk', data: 'nearly\nfull' });
  return say('complained')();
});
await server.connect(new StdioServerTransport());
