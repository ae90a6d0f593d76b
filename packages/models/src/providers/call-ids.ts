// Ids of calls as a provider takes them: each only once in a conversation, the same for a call and its result.

import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

/** The id itself where it will do; else another one, and always the same, for whoever keeps the beginning of a conversation. */
export type ToSafeId = (id: string) => string;

/** Conversations go on with another provider, whose ids were others. */
export function withCallIds(prompt: LanguageModelV4Prompt, toSafe: ToSafeId): LanguageModelV4Prompt {
  if (areSafe(prompt, toSafe)) return prompt;
  const used = new Set<string>();
  /** By the id as it came: calls whose results have not been seen yet. */
  const waiting = new Map<string, string[]>();

  function ofCall(id: string): string {
    let safe = toSafe(id);
    for (let count = 2; used.has(safe); count++) safe = toSafe(`${id}_${count}`);
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
    if (message.role !== 'tool') return message;
    return {
      ...message,
      content: message.content.map((part) =>
        part.type === 'tool-result'
          ? { ...part, toolCallId: waiting.get(part.toolCallId)?.shift() ?? toSafe(part.toolCallId) }
          : part,
      ),
    };
  });
}

/** Nearly always: nothing is copied then. */
function areSafe(prompt: LanguageModelV4Prompt, toSafe: ToSafeId): boolean {
  let used: Set<string> | undefined;
  for (const { role, content } of prompt) {
    if (role !== 'assistant') continue;
    for (const part of content) {
      if (part.type !== 'tool-call') continue;
      used ??= new Set();
      if (used.has(part.toolCallId) || toSafe(part.toolCallId) !== part.toolCallId) return false;
      used.add(part.toolCallId);
    }
  }
  return true;
}

/** Letters, digits, _ and -, at most so many. */
export function wordOf(longest: number): ToSafeId {
  return (id) => (id.length <= longest && /^[\w-]+$/.test(id) ? id : `call_${digestOf(id).slice(0, longest - 5)}`);
}

/** Mistral's own rule, which servers of its models have too. */
export const nineLetters: ToSafeId = (id) => (/^[a-zA-Z0-9]{9}$/.test(id) ? id : digestOf(id).slice(0, 9));

/** What nobody refuses: only what is far too long is another. */
export const anyId: ToSafeId = (id) => (id !== '' && id.length <= 256 ? id : `call_${digestOf(id)}`);

function digestOf(id: string): string {
  // Asked for here: few ids need it, and it is a tenth of a start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}
