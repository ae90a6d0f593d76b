// Time, tokens and money of a round. An unknown amount is shown as unknown, never as 0.

import { durationOf, usageWords } from '../app/time.ts';
import type { Answer } from './answer.ts';
import styles from './usage-line.module.css';

export function UsageLine({ answer }: { readonly answer: Answer }) {
  const { state, round } = answer;
  const usage = round?.tree.session(round.id)?.usage;
  // A round that waits for an answer is not over.
  if (state.type !== 'over' || state.status === 'needs_user_input' || !round || !usage) return null;
  const time = round.endedAt === undefined ? [] : [durationOf(round.endedAt - round.startedAt)];
  return <p className={`figure ${styles.usage}`}>{[...time, ...usageWords(usage)].join(' · ')}</p>;
}
