// The body of a POST as a message, read once for whoever works on it, and never more of it than is taken.

import { isJsonContentType } from '@modelcontextprotocol/server';
import { statusOf, toSafeFailure } from '../../failure-status.ts';
import { readBody } from '../../read-body.ts';
import { type Refused, refuse } from './rpc-refusal.ts';

export type ReadPost = { readonly message: unknown } | { readonly refusal: Response };

/** Any JSON but several messages at once, which only one older revision knew, and nobody sends. */
export async function readPost(request: Request, maxBytes: number): Promise<ReadPost> {
  if (!isJsonContentType(request.headers.get('content-type')))
    return refused({ status: 415, message: 'Unsupported Media Type: Content-Type must be application/json' });
  let text: string;
  try {
    text = await readBody(request, maxBytes);
  } catch (error) {
    const failure = toSafeFailure(error);
    const status = statusOf(failure);
    return refused({ status, code: status === 413 ? -32_000 : -32_700, message: failure.message });
  }
  const message = parse(text);
  if (message === undefined) return refused({ status: 400, code: -32_700, message: 'Parse error: Invalid JSON' });
  if (Array.isArray(message))
    return refused({ status: 400, code: -32_600, message: 'Invalid Request: send one message at a time' });
  return { message };
}

function refused(why: Refused): ReadPost {
  return { refusal: refuse(why) };
}

/** Nothing when it is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
