// A server that greets as it should, and then does what its first argument says: raw lines, silence, a flood, closed streams.

import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const settings = JSON.parse(process.argv[2] ?? '{}');
const { tools = [{ name: 'ok', inputSchema: { type: 'object' } }], lines, does } = settings;
let lists = 0;

if (settings.stderr) process.stderr.write(settings.stderr);
process.stdout.on('error', () => {});
const input = createInterface({ input: process.stdin }).on('line', (line) => handle(JSON.parse(line)));

function handle({ id, method, params }) {
  if (method === 'server/discover') return write({ id, error: { code: -32601, message: 'Method not found' } });
  if (method === 'initialize') return greet(id, params);
  if (method === 'tools/list') return list(id);
  if (method === 'tools/call') return call(id, params);
  if (method === 'ping') return write({ id, result: {} });
}

function greet(id, { protocolVersion }) {
  const serverInfo = { name: 'rude', version: '1' };
  write({ id, result: settings.greeting ?? { protocolVersion, capabilities: { tools: {} }, serverInfo } });
}

function list(id) {
  lists++;
  if (settings.diesAtList) process.exit(4);
  if (settings.silentFromList === undefined || lists < settings.silentFromList) write({ id, result: { tools } });
}

function call(id, { _meta = {} }) {
  if (lines) {
    const fill = (line) => line.replaceAll('$ID', id).replaceAll('$TOKEN', JSON.stringify(_meta.progressToken));
    return void process.stdout.write(lines.map((line) => `${fill(line)}\n`).join(''));
  }
  if (does === 'nest') {
    const data = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    return void process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"_meta":{"a":${data}}}}\n`);
  }
  if (does === 'close-output') {
    process.stderr.write('I close my output\n', () => closeSync(1));
    setInterval(() => {}, 1_000);
    return;
  }
  if (does === 'ask-and-not-read') return askAndNotRead();
  write({ id, result: { content: [{ type: 'text', text: 'fine' }] } });
}

function askAndNotRead() {
  input.close();
  process.stdin.pause();
  const ask = `${JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'nobody/knows' })}\n`.repeat(1_000);
  const more = () => {
    while (process.stdout.write(ask));
    process.stdout.once('drain', more);
  };
  more();
}

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
