// A conversation that can be gone on with, wherever it broke off: every provider takes it, and nothing that was done is kept from the model.

import { type AssistantMessage, callsOf, type Message, type ToolCallPart, type ToolResultPart } from './message.ts';
import { defaultTexts, type Texts } from './texts.ts';

/** Without its system prompt; a call that nobody answered says so. An answer that another stands in place of is left out. */
export function toHistory(conversation: readonly Message[], texts: Partial<Texts> = defaultTexts): readonly Message[] {
  const history: Message[] = [];
  for (const [i, message] of conversation.entries()) {
    if (message.role === 'system' || message.role === 'tool' || isReplaced(message, conversation[i + 1])) continue;
    history.push(message);
    if (message.role !== 'assistant') continue;
    const calls = callsOf(message);
    if (calls.length > 0) history.push({ role: 'tool', content: toResults(calls, conversation[i + 1], texts) });
  }
  return history;
}

/** What its agent said before others went on from it, or before it was asked to say it again. */
function isReplaced(message: Message, next: Message | undefined): boolean {
  return message.role === 'assistant' && next?.role === 'assistant' && !hasCalls(message);
}

function hasCalls(message: AssistantMessage): boolean {
  return message.content.some((part) => part.type === 'tool-call');
}

function toResults(
  calls: readonly ToolCallPart[],
  next: Message | undefined,
  { interruptedCall: text = defaultTexts.interruptedCall }: Partial<Texts>,
): readonly ToolResultPart[] {
  const known = new Map(next?.role === 'tool' ? next.content.map((part) => [part.id, part]) : []);
  return calls.map(({ id, name }) => known.get(id) ?? { type: 'tool-result', id, name, text, isError: true });
}
