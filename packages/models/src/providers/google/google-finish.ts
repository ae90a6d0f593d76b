// Why a reply of Gemini ended, where the package does not know all that is said.

import { AgentError } from '@ai-agent/core';
import type { LanguageModelV4FinishReason } from '@ai-sdk/provider';

const filtered = new Set(['LANGUAGE', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'MODEL_ARMOR', 'JAILBREAK']);
const spoilt = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
]);

/** A call that the provider could not read is no reply: it may do better the next time. */
export function finishOf(reason: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
  const { raw = '' } = reason;
  if (spoilt.has(raw))
    throw new AgentError('model-reply-invalid', `The model wrote a reply that its provider cannot read (${raw}).`);
  if (raw === 'MISSING_THOUGHT_SIGNATURE')
    throw new AgentError('model-request-refused', 'The provider misses a signature in the conversation.');
  if (filtered.has(raw)) return { unified: 'content-filter', raw };
  if (raw !== '' && reason.unified === 'other')
    throw new AgentError('model-reply-invalid', `The provider ended the reply for no reason that we know (${raw}).`);
  return reason;
}
