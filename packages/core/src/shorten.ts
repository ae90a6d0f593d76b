// A request made shorter where that hurts least: the results of tools lose their ends.

import type { Message, ToolResultPart } from './message.ts';
import type { ModelRequest } from './model.ts';
import { head } from './text.ts';
import { tokensOf } from './tokens.ts';

/** Without at least so many tokens; undefined when there is not that much to take away. */
export function shorten(request: ModelRequest, excessTokens: number): ModelRequest | undefined {
  const results = request.messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
  const tokens = results.reduce((sum, { text }) => sum + tokensOf(text), 0);
  // Each cut costs its own mark.
  const share = (tokens - excessTokens - results.length) / tokens;
  if (excessTokens <= 0 || !(share > 0)) return undefined;
  const messages = request.messages.map((message) => (message.role === 'tool' ? cut(message.content, share) : message));
  return { ...request, messages };
}

function cut(parts: readonly ToolResultPart[], share: number): Message {
  const content = parts.map((part) => ({ ...part, text: head(part.text, Math.floor(part.text.length * share)) }));
  return { role: 'tool', content };
}
