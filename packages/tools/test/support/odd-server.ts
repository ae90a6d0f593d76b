// A server that describes its tools in ways that nobody can check. Answers a call with its arguments, or with odd things.

import { createInterface } from 'node:readline';

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown };
}

const tools: readonly object[] = [
  { name: 'naked', description: null, outputSchema: null },
  { name: 'untyped', inputSchema: { properties: { a: { type: 'integer' } } } },
  { name: 'list', inputSchema: { type: 'array', items: {} } },
  {
    name: 'remote',
    description: 'Refers to a schema elsewhere.',
    inputSchema: {
      type: 'object',
      properties: { at: { $ref: 'https://example.com/schemas/place.json', description: 'Where' } },
      required: ['at'],
    },
  },
  {
    name: 'regex',
    inputSchema: { type: 'object', properties: { code: { type: 'string', pattern: '(?<!' } } },
  },
  { name: 'sound', title: 'A sound one', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
  { name: 'sound', inputSchema: { type: 'object' } },
  { name: 'replaced', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
];

const oddParts = [
  { type: 'text', text: 'first' },
  { type: 'hologram', data: 'x' },
  { type: 'image', mimeType: 'image/png', data: 'not base64!' },
  { type: 'resource_link', uri: 'note://1' },
  'bare words',
  { type: 'text', text: 'last' },
];

function answer({ method, params }: Request): unknown {
  if (method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    };
  if (method === 'tools/list') return { tools };
  if (params?.name === 'naked') return { content: oddParts };
  return { content: [{ type: 'text', text: `${params?.name} got ${JSON.stringify(params?.arguments)}` }] };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) continue;
  const unknown = { error: { code: -32601, message: 'Method not found' } };
  const body = request.method === 'server/discover' ? unknown : { result: answer(request) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: request.id, ...body })}\n`);
}
