// Requests to leave HTTP on their connection: each goes through the house like any other, and is refused or taken there.

import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { replyOn } from './half-closed.ts';
import { refuseRaw, toUnreadable } from './refuse-raw.ts';
import { sendResponse } from './send-response.ts';
import { offerUpgrade } from './upgrade.ts';

export interface UpgradesOptions {
  /** Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** How long a reader may take nothing of a reply that waits for it. */
  readonly stallMs: number;
  /** Told of each connection that speaks HTTP no more. */
  readonly onTaken: (socket: Duplex) => void;
}

export function watchUpgrades(server: Server, options: UpgradesOptions): void {
  server.on('upgrade', async (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', passOver);
    await whenAnswered(socket);
    if (socket.destroyed) return;
    if (asksForWebSocket(incoming)) await hand({ incoming, socket, head }, options);
    else readAgain(server, { incoming, socket, head });
  });
}

function passOver(): void {}

/** All else that a client may wish to speak instead is passed over, as HTTP allows. */
function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** What was asked before on the same connection is answered before. */
async function whenAnswered(socket: Duplex): Promise<void> {
  for (let reply = replyOn(socket); reply && !socket.destroyed; reply = replyOn(socket)) {
    const { promise, resolve } = Promise.withResolvers<void>();
    reply.once('close', resolve);
    await promise;
    // The next one has its turn by then.
    await new Promise((done) => setImmediate(done));
  }
}

/**
 * As if it had not asked: Node reads the request once more, without the wish. Told beforehand not to hear it, Node would lose
 * what is behind it on the connection.
 */
function readAgain(server: Server, { incoming, socket, head }: Asking): void {
  const { method, url, httpVersion, rawHeaders } = incoming;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at);
    if (/^(?:upgrade|http2-settings)$/i.test(name)) continue;
    lines.push(`${name}: ${/^connection$/i.test(name) ? withoutWish(value) : value}`);
  }
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  socket.off('error', passOver);
  server.emit('connection', socket);
}

function withoutWish(connection: string): string {
  const rest = connection.split(',').filter((one) => !/^\s*(?:upgrade|http2-settings)\s*$/i.test(one));
  return rest.join(',') || 'keep-alive';
}

type Asking = Pick<Parameters<typeof offerUpgrade>[1], 'incoming' | 'socket' | 'head'>;

async function hand({ incoming, socket, head }: Asking, options: UpgradesOptions): Promise<void> {
  const request = toRequest(incoming);
  if (!request) {
    refuseRaw(socket, toUnreadable(undefined));
    return;
  }
  let isTaken = false;
  const take = () => {
    isTaken = true;
    options.onTaken(socket);
  };
  const reply = await options.fetch(offerUpgrade(request, { incoming, socket, head, take }));
  if (!isTaken) await replyTo({ incoming, socket, head }, reply, options);
}

function toRequest({ url = '/', headers, rawHeaders }: IncomingMessage): Request | undefined {
  const { host = '' } = headers;
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined;
  const all = new Headers();
  try {
    for (let at = 0; at < rawHeaders.length; at += 2) all.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    return new Request(url.startsWith('/') ? `http://${host}${url}` : url, { headers: all });
  } catch {
    return undefined;
  }
}

/** An ordinary reply, the last on its connection. */
async function replyTo({ incoming, socket }: Asking, reply: Response, { stallMs }: UpgradesOptions): Promise<void> {
  const outgoing = new ServerResponse(incoming);
  outgoing.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  // Node does neither for a connection that it has handed out.
  socket.on('drain', () => outgoing.emit('drain')).on('timeout', () => socket.destroy());
  outgoing.once('finish', () => {
    socket.end();
    // Whoever goes on sending would keep it open.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  // Nobody listens to what else it says; but that it has gone is heard only by who reads.
  socket.resume();
  await sendResponse(reply, outgoing, { stallMs, isLast: true });
}

/** For the reply to arrive before the connection is gone. */
const lingerMs = 500;
