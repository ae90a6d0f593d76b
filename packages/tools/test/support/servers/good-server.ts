// What the well-behaved servers offer, whichever way they are reached.

import { type CallToolResult, Server } from '@modelcontextprotocol/server';

export function createServer(): Server {
  const server = new Server(
    { name: 'good', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, logging: {} }, instructions: 'Be good.' },
  );
  let names = ['echo', 'progress', 'more', 'pid'];
  server.setRequestHandler('tools/list', () => ({
    tools: names.map((name) => ({ name, inputSchema: { type: 'object' as const, properties: {} } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
    if (params.name === 'pid') return say(String(process.pid));
    if (params.name === 'progress') {
      const progressToken = params._meta?.progressToken;
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 2 },
        });
      return say('done');
    }
    if (params.name === 'more') {
      names = [...names, 'extra'];
      await server.sendToolListChanged();
      return say('changed');
    }
    return say(JSON.stringify(params.arguments ?? {}));
  });
  return server;
}
