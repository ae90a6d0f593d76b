// Connections that are one channel for everything: the streams of a process, a WebSocket, a stream of events with posts beside it.

import { AgentError } from '@ai-agent/core';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Hall, toStopping } from '../../hall.ts';
import type { AgentServers } from './agent-servers.ts';
import type { Channel } from './channel.ts';
import type { Guest } from './guest.ts';

export interface ConnectionOptions {
  /** Told what went wrong on it; nothing of it is the other end's to know. */
  readonly onError: (error: Error) => void;
}

/** Which revision is spoken is seen from what comes first. */
export function serveConnection(
  servers: AgentServers,
  guest: Guest,
  transport: Transport,
  { onError }: ConnectionOptions,
): { close(): Promise<void> } {
  return serveStdio(() => servers.forConnection(guest), { transport, onerror: onError });
}

/** Those of one kind that are open. */
export class OpenConnections {
  readonly #hall: Hall;
  readonly #servers: AgentServers;
  readonly #most: number;
  readonly #open = new Map<Channel, { close(): Promise<void> }>();
  #isClosing = false;

  constructor(hall: Hall, servers: AgentServers, most: number) {
    this.#hall = hall;
    this.#servers = servers;
    this.#most = most;
  }

  /** Throws `server-stopping` and `server-full`. */
  checkRoom(): void {
    if (this.#hall.isStopping || this.#isClosing) throw toStopping();
    if (this.#open.size < this.#most) return;
    throw new AgentError('server-full', `There are ${this.#most} connections of this kind already.`);
  }

  serve(guest: Guest, channel: Channel): void {
    // The SDK knows of two calls under one id only the later: this ends both.
    const lost = () => ({ signal: channel.lost, done: () => {} });
    // What goes wrong here is what the other end sends, or that it has gone.
    const connection = serveConnection(this.#servers, { ...guest, lost }, channel, { onError: () => {} });
    this.#open.set(channel, connection);
    void channel.closed.then(() => this.#open.delete(channel));
  }

  /** Answers that are on their way arrive. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const all = [...this.#open].map(async ([channel, connection]) => {
      await channel.answered(lastAnswersMs);
      await connection.close();
    });
    await Promise.allSettled(all);
  }
}

/** For answers whose runs have ended. */
const lastAnswersMs = 500;
