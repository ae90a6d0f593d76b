// What operations reply with, beside the answer: the headers of a run, events, and each failure by its status.

import { statusOf } from '../failure-status.ts';
import type { Node } from './keywords.ts';

const text = { type: 'string' } as const;

/** By the names of the headers. */
const runHeaders = {
  'x-ai-agent-session':
    'The id of the session: read, stop or answer it at /v1/sessions/{id}, or send it back to go on with it.',
  'x-ai-agent-origin-id': 'The id of the session at the root of the tree.',
  'x-ai-agent-call-path': 'The agents from the root to this one.',
  'x-ai-agent-status': 'How it ended: completed, partial, needs_user_input, needs_client_tools, failed or cancelled.',
  'x-ai-agent-limit': 'The limit that stopped it, when the status is partial.',
  'x-ai-agent-incomplete':
    'The number of sub-agents that failed, were cut off or were refused: their work is missing. Absent when there are none.',
  location: 'Where the session is, when it was started or ended with a question.',
} as const;

export const ownHeaders: Readonly<Record<string, Node>> = {
  ...Object.fromEntries(Object.entries(runHeaders).map(([name, description]) => [name, { description, schema: text }])),
  'retry-after': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 1 } },
};

export const headersOfRun: Node = Object.fromEntries(Object.keys(runHeaders).map((name) => [name, toHeader(name)]));

/** Server-sent events, of which the data is JSON. */
export function events(description: string): Node {
  return { schema: { ...text, description } };
}

export const outcomeType = 'application/vnd.ai-agent+json';

const failures = {
  400: 'The request is not right: the message names what does not fit.',
  401: 'There is no key, or it is none of this server.',
  402: 'The budget did not allow the run to begin.',
  403: 'This key may not call this agent, it stands in web pages and this is not for their visitors, or this page may not use this server.',
  404: 'There is no such agent, session or route.',
  405: 'Another method is meant: the header Allow names it.',
  408: 'The request came too slowly.',
  409: 'It cannot be done as things stand: no question is open, the session is at work or is not, an agent is called from within itself, or the run was cancelled.',
  413: 'The request is too large.',
  429: 'The key has used up its rate or its allowance.',
  431: 'The headers of the request are too large.',
  500: 'The server or an agent is not set up rightly, or has a fault.',
  502: 'A model, a tool or the network failed, or the answer did not keep its contract.',
  503: 'The server is full or stopping, or a provider refuses more.',
  504: 'The run took too long.',
} as const;

export type FailureStatus = keyof typeof failures;

const waits: readonly number[] = [429, statusOf({ code: 'server-full', class: 'rate_limit' })];

/** With these a run may have failed: whoever asked for the whole outcome gets it. */
const ofRuns: readonly number[] = [400, 402, 409, 500, 502, 503, 504];

/** `components.responses`: `Failure404` and so on. */
export function toResponses(maxBodyBytes: number): Node {
  const described = {
    ...failures,
    413: `The body is larger than the ${maxBodyBytes} bytes that are taken, or than what is taken with files.`,
  };
  return Object.fromEntries(
    Object.entries(described).map(([status, description]) => [
      `Failure${status}`,
      {
        description,
        ...(waits.includes(Number(status)) ? { headers: { 'retry-after': toHeader('retry-after') } } : {}),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' } },
          ...(ofRuns.includes(Number(status)) ? { [outcomeType]: outcome } : {}),
        },
      },
    ]),
  );
}

const outcome = { schema: { $ref: '#/components/schemas/Outcome' } };

/** Those that a server without keys never gives are left out there. */
export function failing(statuses: readonly FailureStatus[], hasKeys: boolean): Node {
  const given = statuses.filter((status) => hasKeys || ![401, 429].includes(status));
  return Object.fromEntries(given.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]));
}

/** Whom a key asks for: what it starts belongs to both. */
export const user: Node = {
  name: 'X-Ai-Agent-User',
  in: 'header',
  description: 'For whom you ask. Sessions belong to your key and to this user; nobody else sees them.',
  schema: { ...text, minLength: 1, maxLength: 200 },
};

function toHeader(name: string): Node {
  return { $ref: `#/components/headers/${name}` };
}
