// What a session is told at first: an earlier conversation, and the request.

import { AgentError } from './errors.ts';
import { type Message, userMessage } from './message.ts';
import type { Opened } from './operation.ts';
import type { Request } from './pauses.ts';
import type { AIAgentSessionConfig } from './session-config.ts';

type Asked = Pick<Request, 'text' | 'at' | 'isAdvised'>;

export interface Opening {
  readonly messages: readonly Message[];
  readonly request: Asked;
  /** Whether it goes on in the middle of a conversation. */
  readonly isAgain?: true;
}

/** A history that ends with results is gone on with as it is, when nothing is said after it. Throws `session-input-invalid`. */
export function toOpening(
  { agent, history = [], attachments, request }: AIAgentSessionConfig,
  prompt: string,
): Opening {
  if (request && prompt !== '')
    throw new AgentError('session-input-invalid', `With request, ${agent.name} goes on from its history: no prompt.`);
  if (request) return { messages: history, request, isAgain: true };
  if (prompt !== '' || attachments || history.at(-1)?.role !== 'tool')
    return { messages: [...history, userMessage(prompt, attachments)], request: { text: prompt, at: history.length } };
  const at = history.findLastIndex(({ role }) => role === 'user');
  const asked = history[at];
  const text = asked?.role === 'user' ? asked.content.map((part) => ('text' in part ? part.text : '')).join('') : '';
  return { messages: history, request: { text, at: Math.max(0, at) } };
}

/** For its first fact, where it goes on: what was said last may be ours. */
export function askedOf({ request, isAgain }: Opening, { resumed }: Partial<Opened> = {}): { request?: Asked } {
  const asked = resumed?.request ?? (isAgain && request);
  if (!asked) return {};
  const { text, at, isAdvised } = asked;
  return { request: { text, at, ...(isAdvised ? { isAdvised } : {}) } };
}
