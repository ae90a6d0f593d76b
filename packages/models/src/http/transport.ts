// What a transport is: a fetch for providers, over connections that are kept.

import { AgentError } from '@ai-agent/core';

export interface Transport {
  /** What provider packages take in place of the global fetch. Sends text or bytes; follows no redirect. */
  readonly fetch: typeof globalThis.fetch;
  /** Breaks off what is under way and closes every connection. */
  close(): void;
}

export interface TransportOptions {
  /** Connections to one host at a time; more requests wait for one. 1 or more. @default 16384 */
  readonly maxSockets?: number;
  /** Connections to one host that are kept for later. 0 or more. @default 256 */
  readonly maxIdleSockets?: number;
  /** How long a connection is kept unused: shorter than the memory of a usual NAT box. @default 30000 */
  readonly idleTimeoutMs?: number;
  /** How long a connection may take to be made, TLS included. @default 30000 */
  readonly connectTimeoutMs?: number;
  /** How long an answer may be, decoded; a longer one fails. 1 or more. @default 67108864, which is 64 MiB */
  readonly maxReplyBytes?: number;
}

/** The failure of a request before its connection was established, TLS included: nothing was sent. */
export class NoConnectionError extends AgentError {}

/** Who is done with an answer cancels its body for this reason: if the body ends here too, the connection is kept. */
export const replyIsComplete = Symbol('The reply is complete.');
