// Ids of tool calls as this API takes them: letters, digits, _ and -, each only once in a conversation.

import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

/** Ids of other providers are made safe, the same for a call and its result; and always the same, for the cache. */
export function withSafeIds(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const used = new Set<string>();
  /** By the id as it came: calls whose results have not been seen yet. */
  const waiting = new Map<string, string[]>();

  function ofCall(id: string): string {
    const safe = unusedLike(id, used);
    used.add(safe);
    waiting.set(id, [...(waiting.get(id) ?? []), safe]);
    return safe;
  }

  return prompt.map((message) => {
    if (message.role === 'assistant')
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-call' ? { ...part, toolCallId: ofCall(part.toolCallId) } : part,
        ),
      };
    if (message.role === 'tool')
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'tool-result'
            ? { ...part, toolCallId: waiting.get(part.toolCallId)?.shift() ?? safeOf(part.toolCallId) }
            : part,
        ),
      };
    return message;
  });
}

function unusedLike(id: string, used: ReadonlySet<string>): string {
  const safe = safeOf(id);
  if (!used.has(safe)) return safe;
  for (let count = 2; ; count++) {
    const next = `${safe}_${count}`;
    if (!used.has(next)) return next;
  }
}

function safeOf(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}
