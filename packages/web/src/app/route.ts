// Where the page is, in its hash: so that it can be linked to, and the server need not know.

import { useSyncExternalStore } from 'react';

export interface Route {
  /** The session that is open. */
  readonly session?: string;
  /** The agent that is to be asked anew. */
  readonly agent?: string;
}

export function useRoute(): Route {
  return toRoute(useSyncExternalStore(listen, () => location.hash));
}

/** The page follows at once. Browsers tell of it later, and what was chosen would stand as before until then. */
export function goTo(route: Route): void {
  location.hash = toHash(route);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Unless somebody has left that session meanwhile, or opened one where none was open. */
export function goFrom(session: string | undefined, route: Route): void {
  if (toRoute(location.hash).session === session) goTo(route);
}

export function toHash({ session, agent }: Route): string {
  if (session !== undefined) return `#/s/${encodeURIComponent(session)}`;
  return agent === undefined ? '#/' : `#/a/${encodeURIComponent(agent)}`;
}

function toRoute(hash: string): Route {
  const [, kind, name = ''] = /^#\/([sa])\/(.+)$/.exec(hash) ?? [];
  try {
    const decoded = decodeURIComponent(name);
    // No browser leaves these two as they are: they would lead to another address.
    if (decoded === '.' || decoded === '..') return {};
    return kind === 's' ? { session: decoded } : kind === 'a' ? { agent: decoded } : {};
  } catch {
    return {};
  }
}

function listen(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
