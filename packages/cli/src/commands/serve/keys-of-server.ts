// The keys of a server, one for all of its headends. Loaded where there are any: what makes hashes comes with it.

import type { ApiSettings } from '@ai-agent/agents';
import { Keys } from '@ai-agent/server';
import { systemClock } from '../../platform.ts';

/** Throws `config-invalid`. */
export function toKeys(settings: NonNullable<ApiSettings['keys']>): Keys {
  return new Keys(settings, systemClock);
}
