// The session whose talk is drawn, for parts deep inside of a message.

import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Api } from '../server/api.ts';
import type { Standing } from '../server/documents.ts';
import type { SessionView } from '../session/session-view.ts';
import type { Budget } from './budget-fields.tsx';

export interface OpenSession {
  readonly api: Api;
  readonly view: SessionView;
  /** Limits that were typed for what comes next. */
  readonly limits: Budget | undefined;
}

export const SessionContext = createContext<OpenSession | undefined>(undefined);

/** How it stands, and again when that changes: messages are not drawn anew for it. */
export function useStanding(): Standing | undefined {
  const { view } = useContext(SessionContext) ?? {};
  return useSyncExternalStore(view?.subscribe ?? never, () => view?.picture().standing);
}

function never(): () => void {
  return () => {};
}
