// Keys that may stand in a page, where everybody reads them: good only from the origins that they name, and only for what a
// visitor of that page needs.

import { AgentError } from '@ai-agent/core';
import { shown } from './origins.ts';
import type { Visitor } from './visitor.ts';

/** What such a key reaches: a path as routes know it, and its methods. */
const routes: readonly (readonly [path: RegExp, methods: readonly string[]])[] = [
  [/^\/v1$/, ['GET']],
  [/^\/v1\/chat$/, ['POST']],
  [/^\/v1\/sessions$/, ['POST']],
  [/^\/v1\/sessions\/[^/]+$/, ['GET']],
  [/^\/v1\/sessions\/[^/]+\/events$/, ['GET']],
  [/^\/v1\/sessions\/[^/]+\/(?:stop|cancel|answer)$/, ['POST']],
];

/** No key has more there: which methods it takes is said where it is answered. */
const isOfPagesAlone = /^\/v1\/chat$/;

/** What pages send, and what they read beside the body. */
export const allowedHeaders = 'authorization, content-type, last-event-id, x-ai-agent-user';
export const exposedHeaders = 'x-ai-agent-session, location, retry-after';

/** Methods for pages at this path; none where it is not for them. */
export function methodsForPages(path: string): readonly string[] {
  return routes.find(([one]) => one.test(path))?.[1] ?? [];
}

/** Throws `origin-refused` and `key-limited`; others than publishable keys pass. */
export function guardPublishable({ key, origins }: Visitor, request: Request, path: string): void {
  if (!origins) return;
  const said = request.headers.get('origin');
  if (said === null && !isOwnPage(request, origins))
    throw refused(`The key ${key} is for pages alone, and no page has sent this: it has no Origin.`);
  if (said !== null && !origins.has(said.toLowerCase()))
    throw refused(`The key ${key} is not for pages of ${shown(said)}.`);
  if (!methodsForPages(path).includes(request.method) && !isOfPagesAlone.test(path))
    throw new AgentError(
      'key-limited',
      `The key ${key} stands in pages, and is not for this. It may list the agents that it names, start a session, read, follow, answer, stop and cancel that, and chat.`,
    );
}

/** Requests that begin a run, or go on with one. */
const ofRuns = /^\/v1\/(?:chat|sessions(?:\/[^/]+\/answer)?)$/;

/** Everybody has such a key: its rate is taken before anything of a body is, and not again. Throws what `admit` does. */
export function admitPublishable(visitor: Visitor, { method }: Request, path: string): Visitor {
  if (!visitor.origins || method !== 'POST' || !ofRuns.test(path)) return visitor;
  visitor.admit?.();
  const { admit: _taken, ...admitted } = visitor;
  return admitted;
}

/** Pages that come from where we are asked, through somebody in front of us: browsers send no origin when those only read. */
function isOwnPage({ headers }: Request, origins: ReadonlySet<string>): boolean {
  if (headers.get('sec-fetch-site') !== 'same-origin') return false;
  const host = headers.get('host')?.toLowerCase();
  return origins.has(`https://${host}`) || origins.has(`http://${host}`);
}

function refused(message: string): AgentError {
  return new AgentError('origin-refused', message, {
    remedy: 'Use it in a page of an origin that it names in api.keys of .ai-agent.json, or use another key.',
  });
}
