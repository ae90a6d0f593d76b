// The servers of this house, each by its name: crm, library, repo. They speak MCP on their standard streams.

import { createInterface } from 'node:readline';

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const ofText = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names.slice(0, 1),
});

const tool = (description, inputSchema, work, readOnlyHint = true) => ({
  description,
  inputSchema,
  work,
  annotations: { readOnlyHint },
});

const manual = [
  'HP-9, page 12. Error E7: the flow sensor sees no water. Bleed the radiators, then press reset for five seconds.',
  ...Array.from({ length: 12 }, (_, i) => `HP-9, page ${13 + i}. Torque of screw ${i + 1} is ${4 + i} newton metres.`),
].join('\n');

const servers = {
  crm: {
    instructions: 'Customer numbers have four digits.',
    tools: {
      find_customer: tool('A customer by number', ofText('number'), ({ number }) =>
        number === '4471' ? 'Ada Brunn, contract Comfort since 2021, one open ticket: noise' : 'no such customer',
      ),
      find_company: tool(
        'A company by name',
        ofText('name', 'country'),
        ({ name }) => `${name}: 14 sites, heats with oil`,
      ),
      close_account: tool('Closes an account for good', ofText('number'), () => 'closed', false),
    },
  },
  library: {
    tools: {
      search: tool('Pages that mention something', ofText('query'), ({ query }) => `page:hp9 mentions ${query}`),
      read: tool('The text of a page', ofText('page'), ({ page }) =>
        page === 'page:hp9' ? manual : `${page}: 60 000 units in 2023, says the office of statistics`,
      ),
      write_note: tool('Leaves a note at a page', ofText('page', 'note'), () => 'noted', false),
      drop_shelf: tool('Throws a shelf away', ofText('shelf'), () => 'gone', false),
    },
  },
  repo: {
    tools: {
      log: tool(
        'The log between two versions',
        ofText('version'),
        () => 'a1 Quiet mode (#31)\nb2 Fix clock drift (#33)',
      ),
      show: tool(
        'One change',
        ofText('id'),
        ({ id }) => `${id}: query = "select " + name // ${process.env.REPO_TOKEN ? 'seen' : 'no token'}`,
      ),
      revert: tool('Takes a change back', ofText('id'), () => 'reverted', false),
    },
  },
};

const { tools, instructions } = servers[process.argv[2]];
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const methods = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: process.argv[2], version: '1' },
    ...(instructions ? { instructions } : {}),
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: Object.entries(tools).map(([name, { work: _work, ...more }]) => ({ name, ...more })) }),
  'tools/call': ({ name, arguments: given }) => text(tools[name].work(given ?? {})),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (Object.hasOwn(methods, method)) send({ id, result: methods[method](params) });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});
