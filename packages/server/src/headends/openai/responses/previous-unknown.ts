// A response to go on from that is not there: told under the code that clients of the API know.

import { AgentError } from '@ai-agent/core';
import { toSafeFailure } from '../../../failure-status.ts';
import { toOpenaiError } from '../openai-error.ts';

export class PreviousUnknown extends AgentError {
  constructor(id: string) {
    super('request-invalid', `Previous response with id '${id}' not found.`, {
      remedy: 'Send the whole conversation as input; responses are kept for a day, and not with store: false.',
    });
  }
}

export async function tellPreviousUnknown(error: PreviousUnknown): Promise<Response> {
  const told = toOpenaiError(toSafeFailure(error));
  const body = (await told.json()) as { readonly error: object };
  const param = { param: 'previous_response_id', code: 'previous_response_not_found' };
  return new Response(`${JSON.stringify({ error: { ...body.error, ...param } })}\n`, told);
}
