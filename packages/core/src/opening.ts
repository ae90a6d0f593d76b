// What a session is told at first: an earlier conversation, and the request.

import { AgentError } from './errors.ts';
import type { SessionStart } from './events.ts';
import { type Message, userMessage } from './message.ts';
import type { Continued } from './missing-call.ts';
import type { Opened } from './operation.ts';
import type { Request } from './pauses.ts';
import type { AIAgentSessionConfig } from './session-config.ts';

type Asked = Pick<Request, 'text' | 'at' | 'isAdvised'>;

export interface Opening {
  readonly messages: readonly Message[];
  readonly request: Asked;
  /** Whether it goes on in the middle of a conversation. */
  readonly isAgain?: true;
  /** A session that ended without an answer, and that this one continues. */
  readonly continues?: Continued | undefined;
}

/** A history that ends with results is gone on with as it is, when nothing is said after it. Throws `session-input-invalid`. */
export function toOpening(config: AIAgentSessionConfig, prompt: string): Opening {
  const { agent, history = [], attachments, request, continues } = config;
  if (request && prompt !== '')
    throw new AgentError('session-input-invalid', `With request, ${agent.name} goes on from its history: no prompt.`);
  if (request) return { messages: history, request, isAgain: true, continues };
  if (prompt !== '' || attachments || history.at(-1)?.role !== 'tool')
    return {
      messages: [...history, userMessage(prompt, attachments)],
      request: { text: prompt, at: history.length },
      continues,
    };
  const at = history.findLastIndex(({ role }) => role === 'user');
  const asked = history[at];
  const text = asked?.role === 'user' ? asked.content.map((part) => ('text' in part ? part.text : '')).join('') : '';
  return { messages: history, request: { text, at: Math.max(0, at) }, continues };
}

/** The fields of the first fact of a session that continues another. `handle` is that of a question it answers. */
export function continuedFields(
  { request, isAgain, continues }: Opening,
  { resumed }: Partial<Opened> = {},
  handle?: string,
): Pick<SessionStart, 'request' | 'continues'> {
  const asked = resumed?.request ?? (isAgain && request);
  const { text = '', at = 0, isAdvised } = asked || {};
  const continued =
    handle === undefined || !resumed ? continues : { sessionId: handle, missing: resumed.missing ?? [] };
  return {
    ...(asked ? { request: { text, at, ...(isAdvised ? { isAdvised } : {}) } } : {}),
    ...(continued ? { continues: continued } : {}),
  };
}
