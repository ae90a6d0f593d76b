// One message of the protocol from its text; where it is none, what to tell whoever sent it, in the numbers of JSON-RPC.

import { INVALID_REQUEST, type JSONRPCMessage, PARSE_ERROR, parseJSONRPCMessage } from '@modelcontextprotocol/server';

export type ReadMessage = { readonly message: JSONRPCMessage } | { readonly fault: Fault };

export interface Fault {
  /** For whoever runs the server: nothing of what was sent is in it. */
  readonly problem: string;
  /** Undefined where an answer would be taken for that of another request. */
  readonly reply: FaultReply | undefined;
}

/** As it is sent back. Nobody knows which request it was when the id is null. */
export interface FaultReply {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** Never throws. */
export function readMessage(text: string): ReadMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: toFault(PARSE_ERROR, 'a message is not JSON', null) };
  }
  if (Array.isArray(value)) return { fault: toFault(INVALID_REQUEST, 'several messages came as one', null) };
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return { fault: toUnfit(value) };
  }
}

/** Of a message that was not read to its end. */
export function tooLong(beginning: string, end: string, maxBytes: number): Fault {
  const [, id] = atBeginning.exec(beginning) ?? atEnd.exec(end) ?? [];
  const problem = `a message is longer than ${maxBytes} bytes`;
  return toFault(INVALID_REQUEST, problem, id === undefined ? null : JSON.parse(id));
}

/** The id of a request, before anything that could hold another one. */
const atBeginning =
  /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?(?:\s*"method"\s*:\s*"[^"\\]*"\s*,)?\s*"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*,/;
/** Or as the very last. */
const atEnd = /"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*\}\s*$/;

function toUnfit(value: unknown): Fault {
  const { id, method, result, error } = (value ?? {}) as Record<string, unknown>;
  const problem = 'a message is none of JSON-RPC 2.0';
  if (method === undefined && (result !== undefined || error !== undefined)) return { problem, reply: undefined };
  const isId = typeof id === 'string' || Number.isInteger(id);
  return toFault(INVALID_REQUEST, problem, isId ? (id as string | number) : null);
}

function toFault(code: number, problem: string, id: FaultReply['id']): Fault {
  const kind = code === PARSE_ERROR ? 'Parse error' : 'Invalid Request';
  return { problem, reply: { jsonrpc: '2.0', id, error: { code, message: `${kind}: ${problem}.` } } };
}
