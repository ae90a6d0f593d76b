// Failures that OpenAI writes into an answer that had begun well.

import { AgentError, isObject } from '@ai-agent/core';

/** As the body of an error would have it; a status only where the code alone does not say whose fault it is. */
export interface Failure {
  readonly message: string;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: number;
  /** The usage of the reply that failed. */
  readonly usage?: unknown;
}

/** Of an event, or of a whole answer; undefined when it is none. */
export function failureIn(answer: unknown): Failure | undefined {
  if (!isObject(answer)) return undefined;
  if (answer.type === 'response.failed') return isObject(answer.response) ? ofResponse(answer.response) : unnamed;
  if (answer.type === 'error') return toFailure(isObject(answer.error) ? answer.error : { ...answer, type: undefined });
  if (answer.object === 'response' && answer.status === 'failed') return ofResponse(answer);
  return answer.type === undefined && isObject(answer.error) ? ofResponse(answer) : undefined;
}

const unnamed: Failure = { message: 'The provider ended the reply with an error it does not name.' };

/** One that was cut short is no failure, whatever it is called. */
function ofResponse({ error, incomplete_details: details, usage }: Record<string, unknown>): Failure | undefined {
  if (isObject(error)) return { ...toFailure(error), usage };
  return isObject(details) ? undefined : { ...unnamed, usage };
}

function toFailure({ message, code, type }: Record<string, unknown>): Failure {
  return {
    message: typeof message === 'string' && message !== '' ? message : unnamed.message,
    ...(code === undefined || code === null ? {} : { code }),
    ...(type === undefined || type === null ? {} : { type }),
    ...(typeof code === 'string' && isOfRequest.test(code) ? { status: 400 } : {}),
  };
}

/** `invalid_prompt`, `image_too_large`, `unsupported_image_media_type` and their like: asked again, it would be the same. */
const isOfRequest = /^(invalid|image|unsupported|empty)_|^failed_to_download/;

/** Of an answer that is none of this API. */
export function unreadable(answer: Readonly<Record<string, unknown>>): AgentError {
  if (!Array.isArray(answer.choices))
    return new AgentError('model-reply-invalid', 'The reply has no output.', { cause: answer });
  return new AgentError('model-reply-invalid', 'It answers with chat completions, not as the Responses API does.', {
    remedy: 'Set openaiMode to chat, or the type of the provider to openai-compatible.',
    cause: answer,
  });
}
