// The Model Context Protocol by hand over sockets of our own: to break off in the middle of a frame, to stop reading, to close one half.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawCall {
  readonly socket: Socket;
  /** All that has come so far. */
  read(): string;
}

/** A call of the team over HTTP, in the newer revision, on a connection of its own. */
export async function callOverHttp(
  url: string,
  word: string,
  options: { readonly cutAt?: number } = {},
): Promise<RawCall> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    progressToken: 1,
  };
  const params = { name: 'team', arguments: { text: word }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const raw = await open(url);
  const head = [
    'POST /mcp HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'Accept: application/json, text/event-stream',
    'Content-Type: application/json',
    'Mcp-Protocol-Version: 2026-07-28',
    'Mcp-Method: tools/call',
    'Mcp-Name: team',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  raw.socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, options.cutAt)}`);
  return raw;
}

/** The same over a WebSocket, in the older one. Answers no ping. */
export async function callOverSocket(url: string, word: string): Promise<RawCall> {
  const raw = await open(url);
  const head = [
    'GET /mcp/ws HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Protocol: mcp',
  ];
  raw.socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const clientInfo = { name: 'raw', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  raw.socket.write(frameOf(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })));
  raw.socket.write(frameOf(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })));
  const params = { name: 'team', arguments: { text: word }, _meta: { progressToken: 1 } };
  raw.socket.write(frameOf(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })));
  return raw;
}

/** One text frame of a client; masked with nothing, which is a mask too. */
export function frameOf(text: string): Buffer {
  const data = Buffer.from(text);
  const head = Buffer.alloc(8);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 126, 1);
  head.writeUInt16BE(data.length, 2);
  return Buffer.concat([head, data]);
}

async function open(url: string): Promise<RawCall> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.setEncoding('utf8').on('data', (more) => {
    text += more;
  });
  // The other end may break off as we do.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, read: () => text };
}
