// A small MCP server on its standard streams. Its tools: echo (read-only), slow (tells how far it is, and never ends),
// ask (asks the person a form), nap (where it is `late`); `where` echoes its folder. Its arguments are for whoever looks for the process.

import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const tool = (name, description, more = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
});

const tools = [
  tool('echo', 'Says it again', { annotations: { readOnlyHint: true } }),
  tool('slow', 'Takes for ever'),
  tool('ask', 'Asks for a name'),
  // `late` naps too.
  ...(process.argv.includes('late') ? [tool('nap', 'Takes two seconds and a half')] : []),
];

const form = { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] };
let asked;
let mayAsk = false;

const methods = {
  initialize: ({ id, params }) => {
    mayAsk = params?.capabilities?.elicitation !== undefined;
    send({
      id,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'little', version: '1' },
      },
    });
  },
  ping: ({ id }) => send({ id, result: {} }),
  // `polite` offers to ask where that is taken.
  'tools/list': async ({ id }) => {
    // `late` takes its time.
    if (process.argv.includes('late')) await new Promise((resolve) => setTimeout(resolve, 2_600));
    send({
      id,
      result: { tools: tools.filter(({ name }) => name !== 'ask' || mayAsk || !process.argv.includes('polite')) },
    });
  },
  'tools/call'({ id, params }) {
    const { name, arguments: args = {}, _meta: { progressToken } = {} } = params;
    const where = process.argv.includes('where') ? process.cwd() : '';
    if (name === 'echo')
      return send({ id, result: text(`echo: ${args.text} ${process.env.LITTLE_WORD ?? ''}${where}`.trim()) });
    if (name === 'nap') return setTimeout(() => send({ id, result: text('slept') }), 2_600);
    if (name === 'slow')
      return send({
        method: 'notifications/progress',
        params: { progressToken, progress: 3, total: 9, message: 'three of nine' },
      });
    asked = id;
    if (args.text === 'and leave') setTimeout(() => process.exit(1), 700);
    return send({
      id: 'form-1',
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Who are you?', requestedSchema: form },
    });
  },
};

if (process.argv.includes('broken')) {
  process.stderr.write('little server: no database\n');
  process.exit(3);
}

// `stubborn` stays when its input ends, and does not mind SIGTERM.
if (process.argv.includes('stubborn')) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  // `mute` reads, and never says anything.
  if (process.argv.includes('mute')) return;
  const message = JSON.parse(line);
  if (message.method === undefined) {
    if (message.id === 'form-1') send({ id: asked, result: text(`heard ${JSON.stringify(message.result)}`) });
  } else if (Object.hasOwn(methods, message.method)) methods[message.method](message);
  else if (message.id !== undefined) send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
});
