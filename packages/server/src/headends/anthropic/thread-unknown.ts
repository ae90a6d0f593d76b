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

export async function tellingThreads(reply: () => Promise<Response>): Promise<Response> {
  try {
    return await reply();
  } catch (error) {
    if (!(error instanceof ThreadUnknown)) throw error;
    return toAnthropicError(toSafeFailure(error), { details: { error_code: 'thread_not_found' } });
  }
}
