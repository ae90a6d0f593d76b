// What embedders see of the server, by hand: nothing here shows what it is built on.

export type { NoteStore, SessionHead, SessionQuery, SessionStatus, SessionStore } from '@ai-agent/core';
export type { AllowanceSettings } from '../allowances.ts';
export { hashOf, type KeySettings } from '../keys.ts';
export { MemorySessions, type MemorySessionsOptions } from '../memory-sessions.ts';
export {
  type Api,
  type ApiOptions,
  createApi,
  type Served,
  type ServeOptions,
  type Serving,
  serveAgents,
} from '../serve.ts';
export type { ServedAgent, ServedSettings } from '../served-agent.ts';
