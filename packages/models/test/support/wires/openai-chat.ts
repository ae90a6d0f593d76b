// Chat completions of OpenAI itself: as others speak them, but for what was thought, which it keeps to itself.

import { chat } from './chat.ts';
import { openaiError } from './openai-responses.ts';
import type { Wire, WireReply } from './wire.ts';

export const openaiChat: Wire = {
  ...chat,
  label: 'openai (chat)',
  config: { type: 'openai', openaiMode: 'chat' },
  model: 'gpt-5.4',
  hidesReasoning: true,
  settings: { maxOutputTokens: 'max_completion_tokens' },
  whole: (reply) => chat.whole(withoutReasoning(reply)),
  stream: (reply) => chat.stream(withoutReasoning(reply)),
  error: openaiError,
  streamError: (message) => `data: ${openaiError(500, message)}\n\n`,
};

function withoutReasoning({ reasoning: _, ...reply }: WireReply): WireReply {
  return reply;
}
