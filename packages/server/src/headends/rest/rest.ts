// Agents over plain HTTP: ask with a URL or a body, read text, Markdown or JSON.

import type { Headend } from '../../app.ts';
import { mountAgents } from './agents.ts';
import { mountSessions } from './sessions.ts';

export function rest(): Headend {
  return {
    name: 'rest',
    mount(app, hall) {
      mountSessions(app, hall);
      mountAgents(app, hall);
    },
  };
}
