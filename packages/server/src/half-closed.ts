// A client that says it sends no more: it may still read, or be gone. Both look the same until something is written to it.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One that only sent its last byte gets its reply; one that has gone is noticed within a moment, and its run ends. */
export function watchHalfClosed(server: Server): void {
  // Else the connection is ended with what was to be said.
  Object.assign(server, { httpAllowHalfOpen: true });
  const watched = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    // One whose wish to leave HTTP was passed over comes once more.
    if (watched.has(socket)) return;
    watched.add(socket);
    socket.on('end', () => {
      const reply = replyOn(socket);
      if (reply && !reply.writableEnded) probe(reply, socket, firstMs);
    });
  });
}

/** The one whose turn it is: of several requests on one connection the first that has not been answered. */
export function replyOn(socket: object): ServerResponse | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

const firstMs = 25;
const longestMs = 2_000;

/** Interim replies are passed over by every reader of HTTP/1.1; where nobody is, the second one cannot be written. */
function probe(reply: ServerResponse, socket: Socket, waitMs: number): void {
  if (socket.destroyed || reply.writableEnded) return;
  // What waits to be written finds it out by itself.
  if (reply.headersSent && reply.writableNeedDrain) return;
  if (reply.headersSent || reply.req.httpVersion !== '1.1') {
    socket.destroy();
    return;
  }
  // One that answers a request behind another has its turn later: written now, it would stand in the middle of it.
  if (reply.socket) reply.writeProcessing();
  setTimeout(() => probe(reply, socket, Math.min(2 * waitMs, longestMs)), waitMs).unref();
}
