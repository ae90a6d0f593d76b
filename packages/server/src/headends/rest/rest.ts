// Agents over plain HTTP: ask with a URL or a body, read text, Markdown or JSON.

import type { Headend } from '../../app.ts';
import { mountOpenapi, type OpenapiOptions } from '../../openapi/openapi.ts';
import { mountPage } from '../../page/page.ts';
import { type AgentRoutesOptions, mountAgents } from './agents.ts';
import { mountSessions, type SessionRoutesOptions } from './sessions.ts';

export type RestOptions = AgentRoutesOptions & SessionRoutesOptions & OpenapiOptions;

export function rest(options: RestOptions = {}): Headend {
  return {
    name: 'rest',
    mountOutside: mountPage,
    mount(app, hall) {
      mountOpenapi(app, hall, options);
      mountSessions(app, hall, options);
      mountAgents(app, hall, options);
    },
  };
}
