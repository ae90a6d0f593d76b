// The session that is meant: by its id, by the beginning of it, or as the last of an agent at this terminal.

import { AgentError, oneLine, type SessionHead, type SessionQuery, type SessionStore } from '@ai-agent/core';
import { atTerminal } from './at-terminal.ts';
import { toPrintable } from './render/printable.ts';
import { isId, leastLetters, shortId } from './short-id.ts';

/** A store, and where that is. */
interface Searched {
  readonly store: Pick<SessionStore, 'get' | 'list'>;
  readonly place: string;
}

/** Throws `session-unknown`, with those that may be meant. */
export async function findSession(searched: Searched, said: string): Promise<SessionHead> {
  const { store } = searched;
  const text = said.trim();
  const found = isId(text) ? await store.get(text) : undefined;
  if (found) return found;
  if (!isId(text) || text.length < leastLetters) throw await unknown(said, searched);
  const some = await store.list({ prefix: text, limit: 6 });
  const [one, other] = some;
  if (one && !other) return one;
  if (one) throw ambiguous(said, some);
  throw await unknown(said, searched);
}

/** The newest of this file at the terminal. Throws `session-unknown` when there is none. */
export async function lastSession(
  { store, place }: Searched,
  { agent, source }: Pick<SessionHead, 'agent' | 'source'>,
): Promise<SessionHead> {
  let hasOthers = false;
  const query = { ...atTerminal, agent, limit: 100 } satisfies SessionQuery;
  for (let page = await store.list(query); page.length > 0; ) {
    const found = page.find((head) => head.source === source);
    if (found) return found;
    hasOthers = true;
    const before = page.at(-1)?.id;
    page = before === undefined || page.length < query.limit ? [] : await store.list({ ...query, before });
  }
  const remedy = 'Leave out --continue to begin one, or name one with --session; ai-agent sessions list shows them.';
  const others = hasOthers ? ` Those of ${agent} began with other files.` : '';
  const message = `There is no earlier session of this file at the terminal in ${place}: ${source}.${others}`;
  throw new AgentError('session-unknown', message, { remedy });
}

async function unknown(said: string, { store, place }: Searched): Promise<AgentError> {
  const recent = await store.list({ limit: 3 });
  const isShort = isId(said) && said.length < leastLetters;
  const what = isShort
    ? `"${said}" is too short: an id has at least ${leastLetters} letters here.`
    : `There is no session "${said}" in ${place}.`;
  const last = recent.length === 0 ? ' None is kept.' : ` The last ones: ${recent.map(inWords).join('; ')}.`;
  return new AgentError('session-unknown', `${what}${last}`, {
    remedy:
      recent.length === 0
        ? 'Run an agent first, or name another place with --store.'
        : 'ai-agent sessions list shows all of them; --store names another place.',
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
