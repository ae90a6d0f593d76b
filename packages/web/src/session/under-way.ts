// Calls of a session that have begun and not ended: a ledger has them when they end.

import { isAtWork, type Standing } from '../server/documents.ts';
import type { CallCounts, Round } from './round.ts';

/** None of a round that is over, also while the next one waits for its turn: what was cut off there is in the ledger. */
export function callsUnderWay(rounds: readonly Round[], standing: Standing | undefined): CallCounts {
  const last = rounds.at(-1);
  const isOn = standing && isAtWork(standing) && last && last.number >= standing.rounds && !last.ending;
  return isOn ? last.underWay : { model: 0, tool: 0 };
}
