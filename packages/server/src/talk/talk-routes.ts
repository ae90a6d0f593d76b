// What the routes of a headend are given that takes agents for models.

import type { Hall } from '../hall.ts';
import type { TalkMemory } from './talk-memory.ts';

export interface TalkRoutes {
  readonly hall: Hall;
  readonly memory: TalkMemory;
  readonly options: TalkOptions;
}

export interface TalkOptions {
  readonly maxBodyBytes?: number;
  readonly showsActivity?: boolean;
}

/** What `maxBodyBytes` is where nobody says: conversations are long, and have pictures. */
export const defaultTalkBytes = 32 * 1024 * 1024;
