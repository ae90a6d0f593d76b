// One message of the protocol from text, or what is wrong with it, in the numbers of JSON-RPC.

import {
  INVALID_REQUEST,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';

export type ReadMessage = { readonly message: JSONRPCMessage } | { readonly fault: Fault };

/** As it is sent back. Nobody knows which request it was when the id is null. */
export interface Fault {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: JSONRPCErrorResponse['error'];
}

/** Never throws. */
export function readMessage(text: string): ReadMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return toFault(PARSE_ERROR, 'Parse error: this is not JSON.', null);
  }
  if (Array.isArray(value)) return toFault(INVALID_REQUEST, 'Invalid Request: one message at a time.', null);
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return toFault(INVALID_REQUEST, 'Invalid Request: this is no message of JSON-RPC 2.0.', idOf(value));
  }
}

function toFault(code: number, message: string, id: Fault['id']): ReadMessage {
  return { fault: { jsonrpc: '2.0', id, error: { code, message } } };
}

function idOf(value: unknown): Fault['id'] {
  const { id } = (value ?? {}) as { readonly id?: unknown };
  return typeof id === 'string' || Number.isInteger(id) ? (id as string | number) : null;
}
