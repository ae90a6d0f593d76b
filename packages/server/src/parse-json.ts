// What clients send as JSON, read with a sentence when it is none.

import { AgentError, messageOf } from '@ai-agent/core';

/** JSON, with a sentence when it is none. `what` begins it. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AgentError('request-invalid', `${what} is not JSON: ${messageOf(error)}.`, { cause: error });
  }
}

/** What can be read may be nested too deeply to be written again. Throws `request-invalid`. */
export function asWritable<T>(value: T): T {
  try {
    JSON.stringify(value);
    return value;
  } catch (error) {
    throw new AgentError('request-invalid', 'The body is nested too deeply.', { cause: error });
  }
}
