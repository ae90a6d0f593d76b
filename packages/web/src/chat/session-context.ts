// The session whose talk is drawn, for parts deep inside of a message.

import { createContext } from 'react';
import type { Api } from '../server/api.ts';
import type { SessionView } from '../session/session-view.ts';

export const SessionContext = createContext<{ readonly api: Api; readonly view: SessionView } | undefined>(undefined);
