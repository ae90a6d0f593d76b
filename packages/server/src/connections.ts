// The connections of a listener, which are closed when it closes, each after its last reply.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { replyOn } from './half-closed.ts';

export class Connections {
  readonly #open = new Set<Socket>();
  /** Those that speak HTTP no more: whoever took them ends them. */
  readonly #taken = new Set<Duplex>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      // One whose wish to leave HTTP was passed over comes once more.
      if (this.#open.has(socket)) return;
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
    // Node calls it when the server is closed, and takes those for idle whose reply is still on its way.
    server.closeIdleConnections = () => this.closeIdle();
  }

  /** It speaks something else from now on. */
  release(socket: Duplex): void {
    this.#open.delete(socket as Socket);
    this.#taken.add(socket);
    socket.on('close', () => this.#taken.delete(socket));
  }

  /** Closes idle connections at once, and others after the reply under way. */
  closeIdle(): void {
    for (const socket of this.#open) closeAfterReply(socket);
  }

  /** Whatever they do. */
  closeAll(): void {
    for (const socket of [...this.#open, ...this.#taken]) socket.destroy();
  }
}

function closeAfterReply(socket: Socket): void {
  const reply = replyOn(socket);
  if (reply) reply.once('close', () => socket.destroySoon());
  else socket.destroy();
}
