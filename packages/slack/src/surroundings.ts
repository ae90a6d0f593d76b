// What every part of the headend is handed.

import type { People } from './ask/people.ts';
import type { Identity } from './connect/connection.ts';
import type { SlackApi } from './connect/slack-api.ts';
import type { Desk } from './desk.ts';
import type { SlackLog } from './log.ts';
import type { Lanes } from './run/lanes.ts';
import type { LiveRuns } from './run/live-runs.ts';
import type { RunNotes } from './run/run-notes.ts';
import type { ThreadHolds } from './run/thread-holds.ts';
import type { Threads } from './run/threads.ts';
import type { Unbegun } from './run/unbegun.ts';
import type { SlackSettings } from './settings.ts';

export interface Surroundings {
  readonly settings: SlackSettings;
  readonly desk: Desk;
  readonly log: SlackLog;
  readonly api: SlackApi;
  readonly identity: Identity;
  readonly people: People;
  readonly threads: Threads;
  readonly runNotes: RunNotes;
  readonly unbegun: Unbegun;
  readonly runs: LiveRuns;
  /** One thing after the other in each thread. */
  readonly lanes: Lanes;
  /** The same among all servers that share a store. */
  readonly holds: ThreadHolds;
}
