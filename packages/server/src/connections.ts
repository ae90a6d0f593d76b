// The connections of a listener: which of them nobody needs any more, as long as their last reply has been taken.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { replyOn } from './half-closed.ts';

export class Connections {
  readonly #open = new Set<Socket>();
  readonly #answered = new WeakSet<Socket>();
  /** Those that speak HTTP no more: whoever took them ends them. */
  readonly #taken = new Set<Duplex>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      // One whose wish to leave HTTP was passed over comes once more.
      if (this.#open.has(socket)) return;
      this.#open.add(socket);
      socket.on('close', () => this.#open.delete(socket));
    });
    server.on('request', ({ socket }) => void this.#answered.add(socket));
    // Node calls it when the server is closed, and takes those for idle whose reply is still on its way.
    server.closeIdleConnections = () => this.closeSilent();
  }

  /** It speaks something else from now on. */
  release(socket: Duplex): void {
    this.#open.delete(socket as Socket);
    this.#taken.add(socket);
    socket.on('close', () => this.#taken.delete(socket));
  }

  /** Those that have had a reply go at once, others when they have theirs; who has asked for nothing yet may still ask. */
  closeIdle(): void {
    for (const socket of this.#open) if (this.#answered.has(socket)) closeAfterReply(socket);
  }

  /** Also those that have asked for nothing yet. */
  closeSilent(): void {
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
