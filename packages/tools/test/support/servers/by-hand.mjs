// A server by hand, of an older revision of the protocol, and as badly behaved as its first argument says.

import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const settings = JSON.parse(process.argv[2] ?? '{}');
const { discover = 'error', initialize = 'answer', record: recordFile, pages = 1 } = settings;

record({ event: 'start', pid: process.pid });
if (settings.stderr) process.stderr.write(settings.stderr);
if (settings.exitAtOnce !== undefined) process.exit(settings.exitAtOnce);
if (settings.isStubborn) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
if (settings.flood === 'stderr') flood(process.stderr, 'noise\n'.repeat(10_000));
if (settings.flood === 'line') flood(process.stdout, 'x'.repeat(64 * 1024));

let tools = ['echo', 'environment', 'die', 'slow', 'progress', 'change', 'shape', 'flood', 'hang', 'pid', 'ask'];
const waiting = new Map();
const asked = new Map();
let isHanging = false;

createInterface({ input: process.stdin }).on('line', (line) => {
  if (isHanging) return;
  const message = JSON.parse(line);
  if (settings.isRecording) record({ event: 'message', method: message.method, params: message.params });
  handle(message);
});

function handle({ id, method, params, result, error }) {
  if (method === undefined) return asked.get(id)?.(result ?? { error });
  if (method === 'server/discover') return onDiscover(id);
  if (method === 'initialize') return onInitialize(id, params);
  if (method === 'tools/list') return answer(id, list(params?.cursor));
  if (method === 'tools/call') return call(id, params);
  if (method === 'ping') return answer(id, {});
  if (method === 'logging/setLevel') {
    record({ event: 'level', level: params.level });
    answer(id, {});
    return notify('notifications/message', { level: 'warning', logger: 'by-hand', data: `level is ${params.level}` });
  }
  if (method === 'notifications/cancelled') {
    record({ event: 'cancelled', requestId: params.requestId });
    return waiting.delete(params.requestId);
  }
  if (id !== undefined && method !== undefined) refuse(id, -32601, 'Method not found');
}

function onDiscover(id) {
  if (discover === 'exit') process.exit(7);
  if (discover === 'error') refuse(id, -32601, 'Method not found');
}

function onInitialize(id, params) {
  if (initialize !== 'answer') return;
  const asked = params.protocolVersion;
  answer(id, {
    protocolVersion: settings.protocolVersion ?? asked,
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: 'by-hand', version: '1' },
    instructions: 'Use it well.',
  });
}

function list(cursor) {
  if (pages === 'endless')
    return { tools: [describe(`tool-${cursor ?? 0}`)], nextCursor: String(Number(cursor ?? 0) + 1) };
  if (pages === 'huge')
    return { tools: Array.from({ length: 2_000 }, (_, i) => describe(`t-${cursor}-${i}`)), nextCursor: `${cursor}x` };
  const page = Number(cursor ?? 0);
  const size = Math.ceil(tools.length / pages);
  const part = tools.slice(page * size, (page + 1) * size).map(describe);
  return page + 1 < pages ? { tools: part, nextCursor: String(page + 1) } : { tools: part };
}

function describe(name) {
  const outputSchema = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] };
  return { name, inputSchema: { type: 'object' }, ...(name === 'shape' ? { outputSchema } : {}) };
}

function call(id, { name, arguments: args = {}, _meta = {} }) {
  record({ event: 'call', tool: name, args });
  if (name === 'echo') return setTimeout(() => say(id, JSON.stringify(args)), args.delayMs ?? 0);
  if (name === 'environment') return say(id, JSON.stringify({ env: process.env, cwd: process.cwd() }));
  if (name === 'pid') return say(id, String(process.pid));
  if (name === 'shape') return answer(id, { content: [], structuredContent: args });
  if (name === 'slow') return waiting.set(id, name);
  if (name === 'hang') {
    isHanging = true;
    return;
  }
  if (name === 'flood') return flood(process.stdout, 'x'.repeat(64 * 1024));
  if (name === 'change') {
    tools = [...tools, args.add];
    notify('notifications/tools/list_changed');
    return say(id, 'changed');
  }
  if (name === 'progress') {
    notify('notifications/progress', {
      progressToken: _meta.progressToken,
      progress: 3,
      total: 10,
      message: 'a third',
    });
    notify('notifications/progress', { progressToken: _meta.progressToken, progress: 4 });
    return say(id, 'done');
  }
  if (name === 'die') return die(id, args);
  if (name === 'ask') {
    asked.set(`ask-${id}`, (answered) => say(id, JSON.stringify(answered)));
    return write({ jsonrpc: '2.0', id: `ask-${id}`, method: args.method, params: args.params });
  }
  refuse(id, -32602, `Unknown tool: ${name}`);
}

/** Dies as often as it was told to, counted over all its lives, then works. */
function die(id, { times = Number.POSITIVE_INFINITY }) {
  const lives = readFileSync(recordFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"die"')).length;
  if (lives > times) return say(id, `alive after ${lives}`);
  process.stderr.write('I am dying\n', () => process.kill(process.pid, 'SIGKILL'));
}

function flood(stream, chunk) {
  const more = () => {
    while (stream.write(chunk));
    stream.once('drain', more);
  };
  more();
}

function say(id, text) {
  answer(id, { content: [{ type: 'text', text }] });
}

function answer(id, result) {
  write({ jsonrpc: '2.0', id, result });
}

function refuse(id, code, message) {
  write({ jsonrpc: '2.0', id, error: { code, message } });
}

function notify(method, params) {
  write({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
}

function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function record(fact) {
  if (recordFile) appendFileSync(recordFile, `${JSON.stringify(fact)}\n`);
}
