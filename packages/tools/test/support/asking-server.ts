// A server of protocol 2026-07-28: what it wants to know it asks for in its result, and the call is made again with the answer.

import { acceptedContent, fromJsonSchema, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const form = {
  type: 'object' as const,
  properties: {
    city: { type: 'string' as const, description: 'Where it goes' },
    speed: { type: 'string' as const, enum: ['slow', 'fast'], default: 'slow' },
    copies: { type: 'integer' as const, default: 1 },
  },
  required: ['city', 'speed'],
};

const nothing = fromJsonSchema<Record<string, unknown>>({ type: 'object' });

const legacy = process.argv.includes('--modern-only') ? 'reject' : 'serve';

serveStdio(
  () => {
    const server = new McpServer({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
    server.registerTool('ship', { inputSchema: nothing }, (_args, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'where');
      if (answer.kind === 'missing')
        return inputRequired({
          inputRequests: { where: inputRequired.elicit({ message: 'Where to?', requestedSchema: form }) },
        });
      const text = JSON.stringify(acceptedContent(mcpReq.inputResponses, 'where') ?? answer);
      return { content: [{ type: 'text', text: `shipped ${text}` }] };
    });
    server.registerTool('ponder', { inputSchema: nothing }, (_args, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'thought');
      if (answer.kind === 'missing')
        return inputRequired({
          inputRequests: {
            thought: inputRequired.createMessage({
              messages: [{ role: 'user', content: { type: 'text', text: 'What is it?' } }],
              maxTokens: 10,
            }),
          },
        });
      return { content: [{ type: 'text', text: `pondered ${JSON.stringify(answer)}` }] };
    });
    return server;
  },
  { legacy },
);
