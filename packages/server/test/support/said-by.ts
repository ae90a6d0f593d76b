// What people said in a conversation, as a model is given it.

import type { ModelRequest } from '@ai-agent/core';

export function saidBy({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? [message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')] : [],
  );
}
