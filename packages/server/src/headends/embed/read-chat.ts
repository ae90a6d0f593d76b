// What a chat client sends, decoded. Fields that nobody knows are passed over: clients of other versions send some.

import { AgentError, isObject, type Message, type OutputContract, resultOf } from '@ai-agent/core';
import { parseJson } from '../../parse-json.ts';
import { readBody } from '../../read-body.ts';
import { readOutput } from '../../read-output.ts';
import type { ServedAgent } from '../../served-agent.ts';
import { checkClientId } from './guests.ts';

/** What of a history is heard: the last so many messages, of so many letters together. */
export const historyBounds = { messages: 20, letters: 65_536 } as const;

export interface ReadChat {
  readonly message: string;
  readonly clientId: string | undefined;
  readonly agentId: string | undefined;
  /** Goes on with what is kept here; then what the client remembers does not count. */
  readonly session: string | undefined;
  /** The rest, for the agent that is asked. Throws `request-invalid`. */
  for(served: ServedAgent): ChatFor;
}

export interface ChatFor {
  readonly message: string;
  readonly session: string | undefined;
  readonly history: readonly Message[];
  readonly output?: OutputContract | undefined;
}

/** Throws `request-invalid` and `request-too-large`. */
export async function readChat(request: Request, maxBytes: number): Promise<ReadChat> {
  const body = parseJson(await readBody(request, maxBytes), 'The body');
  if (!isObject(body)) throw wrong('The body must be a JSON object with message.');
  const { message } = body;
  if (typeof message !== 'string' || message.trim() === '') throw wrong('message must be text that is not empty.');
  const session = readName(body.session, 'session');
  const history = session === undefined ? readHistory(body.history) : [];
  return {
    message,
    clientId: checkClientId(body.clientId),
    agentId: readName(body.agentId, 'agentId'),
    session,
    for(served) {
      const { output } = readOutput({ format: toFormat(body.format) }, resultOf(served.agent) ?? { format: 'text' });
      return { message, session, history, output };
    },
  };
}

function readName(given: unknown, field: string): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string' && given !== '') return given;
  throw wrong(`${field} must be text that is not empty.`);
}

/** Names that an older set-up has for the same. */
const formats: Readonly<Record<string, string>> = {
  'markdown+mermaid': 'markdown',
  pipe: 'text',
  tty: 'text',
  plain: 'text',
};

function toFormat(given: unknown): unknown {
  if (given === null || given === '') return undefined;
  return typeof given === 'string' && Object.hasOwn(formats, given) ? formats[given] : given;
}

/** A browser says what was said before, and it may be anything: it is a conversation of these two, and never of the system. */
function readHistory(given: unknown): readonly Message[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw wrong('history must be a list of messages, each with role and content.');
  const messages = given.map(toMessage);
  let letters = 0;
  const from = messages.findLastIndex((message) => {
    letters += message.text.length;
    return letters > historyBounds.letters;
  });
  const heard = messages.slice(Math.max(from + 1, messages.length - historyBounds.messages));
  return heard
    .filter(({ text }) => text.trim() !== '')
    .map(({ role, text }) => ({ role, content: [{ type: 'text', text }] }));
}

function toMessage(given: unknown): { readonly role: 'user' | 'assistant'; readonly text: string } {
  const { role, content } = isObject(given) ? given : {};
  if ((role === 'user' || role === 'assistant') && typeof content === 'string') return { role, text: content };
  throw wrong('history has messages of role user and assistant alone, each with text as its content.');
}

function wrong(message: string): AgentError {
  return new AgentError('request-invalid', message);
}
