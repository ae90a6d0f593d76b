// How a session ended, as whoever looks on from outside may see it.

import type { Ending } from './ending.ts';
import type { Secrets } from './secrets.ts';

/** What whoever asked is to run is not shown, it is handed over: arguments that only look like a key stay as they are. */
export function showEnding(secrets: Secrets, ending: Ending): Ending {
  const shown = secrets.show(ending);
  return ending.status === 'needs_client_tools'
    ? { ...ending, text: shown.text, calls: secrets.keep(ending.calls) }
    : shown;
}
