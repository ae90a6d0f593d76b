// How a session ended, as plain data.

import type { Failure } from './errors.ts';
import type { Json } from './json.ts';

export type Ending = Completed | Stopped | Failed | Cancelled;

interface Said {
  /** The report as text; with a JSON contract the JSON text, or what was said instead of it. */
  readonly text: string;
  /** The validated JSON report. Absent unless the contract is JSON and was kept. */
  readonly report?: Json;
}

export interface Completed extends Said {
  readonly status: 'completed';
}

/** A limit stopped the session; what was done so far is kept. */
export interface Stopped extends Said {
  readonly status: 'partial';
  /** The limit by its name in the agent's definition, such as maxTurns. */
  readonly limit: string;
}

export interface Failed extends Said {
  readonly status: 'failed';
  readonly failure: Failure;
}

export interface Cancelled extends Said {
  readonly status: 'cancelled';
  readonly failure: Failure;
}
