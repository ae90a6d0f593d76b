// A message from its text; where it is none, what to tell whoever sent it, under the id of the request where that can be seen.

import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';

export interface Broken {
  /** For whoever runs the server: nothing of what was sent is in it. */
  readonly problem: string;
  /** Undefined where an answer would be taken for that of another request. */
  readonly reply: object | undefined;
}

export function readMessage(text: string): JSONRPCMessage | Broken {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return toBroken('a line is no JSON.', parseError, 'Parse error: this line is no JSON.', null);
  }
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return toUnfit(value);
  }
}

export function tooLongMessage(beginning: string, end: string, maxBytes: number): Broken {
  const said = `a message is longer than ${maxBytes} bytes.`;
  const [, id] = atBeginning.exec(beginning) ?? atEnd.exec(end) ?? [];
  return toBroken(said, invalidRequest, `Invalid request: ${said}`, id === undefined ? null : JSON.parse(id));
}

const parseError = -32_700;
const invalidRequest = -32_600;

/** Of a request that was not read: its id, before anything that could hold another one. */
const atBeginning =
  /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?(?:\s*"method"\s*:\s*"[^"\\]*"\s*,)?\s*"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*,/;
/** Or as the very last. */
const atEnd = /"id"\s*:\s*(\d{1,15}|"[^"\\]*")\s*\}\s*$/;

function toUnfit(value: unknown): Broken {
  if (Array.isArray(value))
    return toBroken(
      'several messages are in one line.',
      invalidRequest,
      'Invalid request: one message in a line.',
      null,
    );
  const { id, method, result, error } = (value ?? {}) as Record<string, unknown>;
  const said = 'a line is no message of JSON-RPC 2.0.';
  if (method === undefined && (result !== undefined || error !== undefined)) return { problem: said, reply: undefined };
  const isId = typeof id === 'string' || typeof id === 'number';
  return toBroken(said, invalidRequest, `Invalid request: ${said}`, isId ? id : null);
}

function toBroken(problem: string, code: number, message: string, id: string | number | null): Broken {
  return { problem, reply: { jsonrpc: '2.0', id, error: { code, message } } };
}
