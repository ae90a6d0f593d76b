// `ai-agent/server`: agents as an API inside a program, with the ports of this process.

import './oldest-node.ts';
import {
  type Api,
  type ApiOptions,
  createApi as createWith,
  type ServeOptions,
  type Serving,
  serveAgents as serveWith,
} from '@ai-agent/server/embedding';
import { defaultPorts } from './platform.ts';
import { findWebFiles } from './web-files.ts';

export {
  type AllowanceSettings,
  type Api,
  type ApiOptions,
  hashOf,
  type KeySettings,
  MemorySessions,
  type MemorySessionsOptions,
  type NoteStore,
  type Served,
  type ServedAgent,
  type ServedSettings,
  type ServeOptions,
  type Serving,
  type SessionHead,
  type SessionQuery,
  type SessionStatus,
  type SessionStore,
} from '@ai-agent/server/embedding';

/** Agents as a function from requests to responses, for a server of your own. Throws `name-reserved`, `name-taken`, `config-invalid`. */
export function createApi(options: ApiOptions): Api {
  return createWith({ ...options, ...surroundings(options) });
}

/** Agents on a port of their own. Throws what `createApi` throws, and `listen-refused`. */
export function serveAgents(options: ServeOptions): Promise<Serving> {
  return serveWith({ ...options, ...surroundings(options) });
}

function surroundings({ ports }: ApiOptions) {
  return { ports: { ...defaultPorts(), ...ports }, site: findWebFiles() };
}
