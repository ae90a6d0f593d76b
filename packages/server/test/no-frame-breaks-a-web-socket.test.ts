// The promise: whatever comes over a WebSocket is answered as JSON-RPC says or closes that connection, and harms nobody else.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { channels, frame, handshake, initialize, openMcp, toWs } from './support/mcp-channels.ts';
import { rawClient } from './support/raw-client.ts';
import { talk } from './support/raw-talk.ts';

const seed = Number(process.env.SEED ?? 20_261_116);
const numRuns = Number(process.env.RUNS ?? 10);

async function open(maxBodyBytes = 10_000) {
  const bugs: unknown[] = [];
  const hall = hallOf([agentOf('echo', () => 'Said again.')], { onBug: (bug) => bugs.push(bug) });
  const house = await openMcp(hall, { maxBodyBytes });
  const [[, connect] = ['', undefined]] = channels;
  const other = await connect?.(house.url);
  const isWell = async () => {
    expect(await other?.callTool({ name: 'echo', arguments: { text: 'Hello.' } })).toMatchObject({
      content: [{ text: 'Said again.' }],
    });
    expect(bugs).toEqual([]);
    expect(hall.running).toBe(0);
  };
  return { ...house, isWell };
}

async function dial(url: string) {
  const socket = new WebSocket(`${toWs(url)}/mcp/ws`, 'mcp');
  const heard: { id: unknown; error?: { code: number } }[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(data.toString())));
  socket.on('error', () => {});
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.once('open', resolve));
  return { socket, heard, closed };
}

test.each([
  ['no JSON', '{', -32_700, null],
  ['nothing', '', -32_700, null],
  ['several at once', `[${initialize}]`, -32_600, null],
  ['a number', '1', -32_600, null],
  ['nothing of the protocol', '{"id":7,"what":1}', -32_600, 7],
  ['no version', '{"id":"a","method":"ping"}', -32_600, 'a'],
  ['a method that nobody has', '{"jsonrpc":"2.0","id":3,"method":"nothing"}', -32_601, 3],
])('%s is answered, and the connection lives on', async (_, sent, code, id) => {
  const { url, isWell } = await open();
  const { socket, heard } = await dial(url);
  socket.send(sent);
  await expect.poll(() => heard).toMatchObject([{ jsonrpc: '2.0', id, error: { code } }]);
  socket.send(initialize);
  await expect.poll(() => heard[1]).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
  await isWell();
});

test.each([
  ['binary', (socket: WebSocket) => socket.send(Buffer.from(initialize)), 1_003],
  ['too large', (socket: WebSocket) => socket.send('x'.repeat(10_001)), 1_009],
  ['no UTF-8', (socket: WebSocket) => socket.send(Buffer.from([0xff, 0xfe]), { binary: false }), 1_007],
])('a frame that is %s closes its connection', async (_, send, code) => {
  const { url, isWell } = await open();
  const { socket, closed } = await dial(url);
  send(socket);
  expect(await closed).toBe(code);
  await isWell();
});

test('what comes together with the handshake is not lost', async () => {
  const { port } = await open();
  const client = await rawClient(port);
  client.socket.write(handshake() + frame(initialize), 'latin1');
  await expect.poll(client.received).toContain('"protocolVersion":"2025-11-25"');
});

const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
const envelope =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}';

test.each([
  ['an argument', `{"name":"echo","arguments":{"text":${deep}}}`],
  ['a second argument', `{"name":"echo","arguments":{"text":"Go.","more":${deep}}}`],
  ['the arguments', `{"name":"echo","arguments":${deep}}`],
  ['what is said beside', `{"name":"echo","arguments":{"text":"Go."},"_meta":{"x":${deep}}}`],
  ['the parameters', deep],
  ['an argument, in the newer revision', `{"name":"echo","arguments":{"text":${deep}},"_meta":{${envelope}}}`],
  [
    'what is said beside, in the newer revision',
    `{"name":"echo","arguments":{"text":"Go."},"_meta":{${envelope},"x":${deep}}}`,
  ],
])('%s may be nested as deeply as it likes', async (_, params) => {
  const { url, isWell } = await open(2 ** 20);
  const { socket, heard } = await dial(url);
  socket.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":${params}}`);
  await expect.poll(() => heard).toMatchObject([{ id: 5 }]);
  await isWell();
});

const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all).toString('latin1'));
const json = fc.json().map((text) => frame(text));
const request = fc
  .record({
    jsonrpc: fc.constantFrom('2.0', '1.0', undefined),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double()),
    method: fc.constantFrom(
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'prompts/get',
      'resources/read',
      'server/discover',
      'subscriptions/listen',
      'logging/setLevel',
      'x',
    ),
    params: fc.option(fc.object(), { nil: undefined }),
  })
  .map((message) => frame(JSON.stringify(message)));
const framed = fc.tuple(fc.string({ maxLength: 50 }), fc.nat(15)).map(([text, opcode]) => frame(text, opcode));
const head = fc.oneof(
  { weight: 6, arbitrary: fc.constant(handshake()) },
  {
    weight: 1,
    arbitrary: bytes.map((odd) => handshake('/mcp/ws', { 'sec-websocket-protocol': odd.replace(/[\r\n]/g, '') })),
  },
  {
    weight: 1,
    arbitrary: bytes.map((odd) => handshake('/mcp/ws', { 'sec-websocket-extensions': odd.replace(/[\r\n]/g, '') })),
  },
);
const said = fc.record({
  head,
  frames: fc.array(fc.oneof(json, request, request, framed, bytes), { maxLength: 12 }),
  last: fc.constantFrom('fin' as const, 'reset' as const),
});

test('whatever chance sends', { timeout: 30_000 }, async () => {
  const { port, isWell } = await open();
  const crowd = fc.array(said, { minLength: 30, maxLength: 30 });
  const property = fc.asyncProperty(crowd, async (all) => {
    const ends = await Promise.all(
      all.map(({ head: first, frames, last }) => {
        const pieces = [first, ...frames].map((piece) => Buffer.from(piece, 'latin1'));
        return talk(port, { pieces, last }, 8_000);
      }),
    );
    expect(ends.filter(({ how }) => how === 'hangs')).toEqual([]);
    await isWell();
  });
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
});
