// A server of the Model Context Protocol on stdio with one tool. One call in ten is an error.

import { createInterface } from 'node:readline';

const errorShare = 10;
let calls = 0;

const methods: Readonly<Record<string, (params: { readonly arguments?: object }) => object>> = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'words', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => {
    const inputSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
    return { tools: [{ name: 'look_up', description: 'Says what a word means.', inputSchema }] };
  },
  'tools/call': (params) => {
    const isError = ++calls % errorShare === 0;
    const said = isError ? 'The dictionary is lent out.' : `It means ${JSON.stringify(params.arguments)}.`;
    return { content: [{ type: 'text', text: said }], isError };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const result = methods[method]?.(params);
  const reply = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
});
