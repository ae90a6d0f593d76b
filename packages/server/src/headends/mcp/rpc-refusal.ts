// What is said to a request that is refused before anybody works on it: a status, and an error of the protocol.

import type { RequestId } from '@modelcontextprotocol/server';

export interface Refused {
  readonly status: number;
  /** Of the protocol. @default -32000 */
  readonly code?: number;
  readonly message: string;
  /** Of the request, where it could be read. */
  readonly id?: RequestId | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export function refuse({ status, code = -32_000, message, id, headers = {} }: Refused): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: id ?? null }, { status, headers });
}

/** Also for sessions of others: nobody learns that there is one. */
export function unknownSession(): Response {
  return refuse({ status: 404, code: -32_001, message: 'Session not found' });
}

export function serverStopping(id?: RequestId): Response {
  const message = 'The server is stopping and takes no new sessions.';
  return refuse({ status: 503, message, id, headers: { 'retry-after': '5' } });
}
