// The session that a request goes on with, wherever it says so: in a header, in the address, or in a body of ours.

import { AgentError } from '@ai-agent/core';
import { sessionHeader } from '../../trace-headers.ts';

/** Nothing when it is to be a new one. Throws `request-invalid`. */
export function readSessionId(request: Request, ...said: readonly unknown[]): string | undefined {
  const given = [request.headers.get(sessionHeader) ?? undefined, ...said].filter((one) => one !== undefined);
  const [first, ...others] = given;
  if (first === undefined) return undefined;
  if (typeof first !== 'string' || first === '')
    throw new AgentError('request-invalid', 'session must be the id of a session: it is gone on with.');
  if (others.some((other) => other !== first))
    throw new AgentError('request-invalid', 'Two different sessions are named: a request goes on with one.');
  return first;
}
