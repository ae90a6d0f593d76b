// The session that is meant: by its id, by the beginning of it, or as the last of an agent at this terminal.

import { AgentError, oneLine, type SessionHead, type SessionQuery, type SessionStore } from '@ai-agent/core';
import { atTerminal } from './at-terminal.ts';
import { toPrintable } from './render/printable.ts';
import { isId, leastLetters, shortId } from './short-id.ts';

type Readable = Pick<SessionStore, 'get' | 'list'>;

/** Throws `session-unknown`, with those that may be meant. */
export async function findSession(store: Readable, said: string, help = sessionsHelp): Promise<SessionHead> {
  const text = said.trim();
  const found = isId(text) ? await store.get(text) : undefined;
  if (found) return found;
  if (!isId(text) || text.length < leastLetters) throw unknown(said, await recent(store), help);
  const some = await store.list({ prefix: text, limit: 6 });
  const [one, other] = some;
  if (one && !other) return one;
  if (one) throw ambiguous(said, some);
  throw unknown(said, await recent(store), help);
}

const sessionsHelp = 'ai-agent sessions list shows all of them.';

/** The newest of this file at the terminal. Throws `session-unknown` when there is none. */
export async function lastSession(
  store: Readable,
  { agent, source }: Pick<SessionHead, 'agent' | 'source'>,
): Promise<SessionHead> {
  const query = { ...atTerminal, agent, limit: 100 } satisfies SessionQuery;
  for (let page = await store.list(query); page.length > 0; ) {
    const found = page.find((head) => head.source === source);
    if (found) return found;
    const before = page.at(-1)?.id;
    page = before === undefined || page.length < query.limit ? [] : await store.list({ ...query, before });
  }
  const remedy = 'Leave out --continue to begin one, or name one with --session; ai-agent sessions list shows them.';
  throw new AgentError('session-unknown', `There is no earlier session of ${agent} at the terminal.`, { remedy });
}

function recent(store: Readable): Promise<readonly SessionHead[]> | readonly SessionHead[] {
  return store.list({ limit: 3 });
}

function unknown(said: string, recent: readonly SessionHead[], help: string): AgentError {
  const isShort = isId(said) && said.length < leastLetters;
  const what = isShort
    ? `"${said}" is too short: an id has at least ${leastLetters} letters here.`
    : `There is no session "${said}".`;
  const last = recent.length === 0 ? ' None is kept.' : ` The last ones: ${recent.map(inWords).join('; ')}.`;
  return new AgentError('session-unknown', `${what}${last}`, {
    remedy: recent.length === 0 ? 'Run an agent first, or name another place with --store.' : help,
  });
}

function ambiguous(said: string, some: readonly SessionHead[]): AgentError {
  const shown = some.slice(0, 5);
  const more = some.length > shown.length ? ', and others' : '';
  const message = `"${said}" may be several sessions: ${shown.map(inWords).join('; ')}${more}.`;
  return new AgentError('session-unknown', message, { remedy: 'Write more letters of its id.' });
}

function inWords({ id, agent, title = '' }: SessionHead): string {
  const about = oneLine(toPrintable(title)).slice(0, 40);
  return `${shortId(id)} (${agent}${about === '' ? '' : `, "${about}"`})`;
}
