// A thread to go on with that is not there: told in words by which clients know that they have to send all of it again.

import { AgentError } from '@ai-agent/core';
import { toSafeFailure } from '../../failure-status.ts';
import { toAnthropicError } from './anthropic-error.ts';

export class ThreadUnknown extends AgentError {
  constructor(id: string) {
    super('session-unknown', `thread.previous_message_id: no conversation is held that ends with ${id}.`, {
      remedy:
        'Send the whole conversation with thread {"type":"create"}; it is held for a day, for the key that asked.',
    });
  }
}

export async function tellThreadUnknown(error: ThreadUnknown): Promise<Response> {
  const told = toAnthropicError(toSafeFailure(error));
  const body = (await told.json()) as { readonly error: object };
  const details = { error_code: 'thread_not_found' };
  return new Response(`${JSON.stringify({ ...body, error: { ...body.error, details } })}\n`, told);
}
