// Connections that are one channel for everything: the streams of a process, a WebSocket, a stream of events with posts beside it.

import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AgentServers } from './agent-servers.ts';
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
