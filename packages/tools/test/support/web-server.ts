// Servers on a port of this machine: Streamable HTTP, the older SSE, and WebSocket, with whatever the tests do to them.

import { createHash } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';

export interface Listening {
  readonly port: number;
  /** Ends it, and every connection to it, at once. */
  stop(): Promise<void>;
}

export type MakeServer = () => Server;

/** Listens until the test is over. */
export async function listen(onRequest: (request: IncomingMessage, response: ServerResponse) => void, port = 0) {
  const server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  return { server, port: (server.address() as AddressInfo).port, stop } satisfies Listening & { server: HttpServer };
}

/** For handlers that speak the web's own Request and Response. */
export function asNodeHandler(fetch: (request: Request) => Promise<Response>) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const isBodied = incoming.method !== 'GET' && incoming.method !== 'HEAD' && incoming.method !== 'DELETE';
    const ending = new AbortController();
    outgoing.on('close', () => ending.abort());
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers as Record<string, string>,
      signal: ending.signal,
      ...(isBodied ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' as const } : {}),
    });
    const answer = await fetch(request);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body)
      Readable.fromWeb(answer.body as never)
        .on('error', () => outgoing.destroy())
        .pipe(outgoing);
    else outgoing.end();
  };
}

/** One channel to one client, as a server of the SDK takes it. */
class Channel implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

/** The transport of 2024: a stream to read, and an address to write to. Nothing else is answered. */
export async function listenSse(makeServer: MakeServer) {
  const channels = new Map<string, Channel>();
  const streams = new Set<ServerResponse>();
  const { port, stop } = await listen(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://here');
    if (request.method === 'GET' && pathname === '/sse') {
      const id = String(channels.size);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /message?${id}\n\n`);
      const channel = new Channel((text) => response.write(`data: ${text}\n\n`));
      channels.set(`?${id}`, channel);
      streams.add(response);
      serveStdio(makeServer, { transport: channel });
      return;
    }
    const channel = pathname === '/message' ? channels.get(search) : undefined;
    if (!channel) return void response.writeHead(405).end('Method Not Allowed');
    const body = await new Response(Readable.toWeb(request) as ReadableStream).text();
    response.writeHead(202).end('Accepted');
    channel.onmessage?.(JSON.parse(body));
  });
  const breakOff = () => {
    for (const stream of streams) stream.destroy();
  };
  return { url: `http://127.0.0.1:${port}/sse`, stop, breakOff };
}

export interface SocketSide {
  readonly headers: IncomingMessage['headers'];
  /** False while we do not take it in. */
  send(text: string): boolean;
  stopReading(): void;
  end(): void;
}

export interface SocketManners {
  /** Whether it answers when it is told that we leave. @default true */
  readonly saysGoodbye?: boolean;
  /** Of each connection, when nothing of it is left. */
  onGone?(): void;
}

/** Text frames of one piece are all it knows. */
export async function listenSocket(
  onOpen: (side: SocketSide) => (text: string) => void,
  { saysGoodbye = true, onGone = () => {} }: SocketManners = {},
) {
  const { server, port, stop } = await listen((_, response) => response.writeHead(426).end());
  server.on('upgrade', (request, socket: Socket) => {
    const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${guid}`).digest('base64');
    const protocol = request.headers['sec-websocket-protocol'];
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write(
      [...lines, `Sec-WebSocket-Accept: ${accept}`, `Sec-WebSocket-Protocol: ${protocol}`, '\r\n'].join('\r\n'),
    );
    socket.on('error', () => {});
    socket.once('end', onGone).once('close', onGone);
    const send = (text: string) => socket.write(Buffer.concat([headOf(Buffer.byteLength(text)), Buffer.from(text)]));
    const stopReading = () => void socket.removeAllListeners('data').pause();
    const receive = onOpen({ headers: request.headers, send, stopReading, end: () => socket.destroy() });
    readFrames(socket, receive, saysGoodbye);
    onTestFinished(() => void socket.destroy());
  });
  return { url: `ws://127.0.0.1:${port}/mcp`, stop };
}

/** Both revisions on a socket. */
export function serveSocket(makeServer: MakeServer) {
  return (side: SocketSide) => {
    const channel = new Channel(side.send);
    serveStdio(makeServer, { transport: channel });
    return (text: string) => channel.onmessage?.(JSON.parse(text));
  };
}

function headOf(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head[0] = 0x81;
  head[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

function readFrames(socket: Socket, receive: (text: string) => void, saysGoodbye: boolean): void {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    for (let frame = frameIn(held); frame; frame = frameIn(held)) {
      held = held.subarray(frame.end);
      if (frame.opcode !== 8) receive(frame.text);
      else if (saysGoodbye) socket.end(Buffer.from([0x88, 0]));
    }
  });
}

function frameIn(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const size = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + size + 4) return undefined;
  const length = size === 0 ? short : size === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const start = 2 + size + 4;
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const data = bytes.subarray(start, start + length).map((byte, i) => byte ^ (mask[i % 4] as number));
  return { opcode: (bytes[0] as number) & 0x0f, text: Buffer.from(data).toString('utf8'), end: start + length };
}
