// One message as it comes in. An answer that nobody can read is still an answer: whoever waits for it is told.

import { AgentError, isObject, messageOf } from '@ai-agent/core';
import { deserializeMessage, type JSONRPCMessage } from '@modelcontextprotocol/client';

export interface Reader {
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** Never throws: behind it is an event of a stream, where nobody would catch that. */
export function readMessage(line: string, reader: Reader): void {
  try {
    reader.onmessage?.(deserializeMessage(line));
  } catch (error) {
    const answer = toRefusal(line);
    if (answer) reader.onmessage?.(answer);
    // Some servers greet on the wrong stream.
    else reader.onerror?.(new AgentError('tool-failed', `This is no message: ${messageOf(error)}`));
  }
}

const internalError = -32_603;

function toRefusal(line: string): JSONRPCMessage | undefined {
  const answer = parse(line);
  if (!isObject(answer) || answer.method !== undefined) return undefined;
  const { id } = answer;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return { jsonrpc: '2.0', id, error: { code: internalError, message: `no valid answer: ${faultOf(answer)}` } };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function faultOf({ jsonrpc, result, error }: Record<string, unknown>): string {
  const said = isObject(error) ? error.message : error;
  if (typeof said === 'string') return said;
  if (error !== undefined) return 'its error has no code or no message';
  if (result === undefined) return 'it has neither a result nor an error';
  if (!isObject(result)) return 'its result is no object';
  return jsonrpc === '2.0' ? 'it is not as the protocol wants it' : 'it does not say jsonrpc 2.0';
}
