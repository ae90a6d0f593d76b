// `ai-agent/store`: sessions that outlive their process, in a file or in PostgreSQL.

import './oldest-node.ts';

export type { NoteStore, PauseStore, SessionHead, SessionQuery, SessionStatus, SessionStore } from '@ai-agent/core';
export {
  type Deleted,
  defaultRetention,
  openStore,
  type Retention,
  type Store,
  type StoreOptions,
} from '@ai-agent/store';
