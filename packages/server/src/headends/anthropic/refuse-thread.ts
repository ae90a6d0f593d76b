// Conversations that a server holds under the id of a message: there are none here, and clients that are told so send all of it.

import { AgentError } from '@ai-agent/core';
import { toSafeFailure } from '../../failure-status.ts';
import { toAnthropicError } from './anthropic-error.ts';

/** Before anything runs: a thread that was begun would be gone on with. */
export function refuseThread(): Response {
  const failure = new AgentError('request-invalid', 'thread: no conversations are held here between two requests.', {
    remedy: 'Send the whole conversation, without thread.',
  });
  const details = { error_code: 'thread_unsupported_request', unsupported: [] };
  return toAnthropicError(toSafeFailure(failure), { details });
}
