// While an answer is on its way: who does what for it, and for how long already.

import { useContext } from 'react';
import { InstanceName } from '../app/instance-name.tsx';
import { secondsOf } from '../app/time.ts';
import { useNow } from '../session/use-now.ts';
import type { Answer } from './answer.ts';
import styles from './at-work.module.css';
import { type Doing, mostLines } from './doing.ts';
import { SessionContext } from './session-context.ts';

export function AtWork({ answer }: { readonly answer: Answer }) {
  const { state, doing, isUnheard = false } = answer;
  const now = useNow(useContext(SessionContext)?.view, state.type === 'at-work' && !isUnheard);
  if (state.type === 'over') return null;
  if (state.type === 'queued')
    return (
      <p className={styles.now}>
        <span className="pulse" />
        Waits for its turn
      </p>
    );
  const shown = doing.slice(0, mostLines);
  return (
    <div className={styles.work}>
      {shown.length === 0 ? null : (
        <ul className={styles.lines} aria-label="At work">
          {shown.map((line) => (
            <Line key={line.id} line={line} now={now} />
          ))}
        </ul>
      )}
      {doing.length > mostLines ? <p className={styles.more}>and {doing.length - mostLines} more</p> : null}
      <p className={styles.now}>
        {isUnheard ? null : <span className="pulse" />}
        {isUnheard ? 'Nothing was heard of it since' : wordOf(answer)}
        <span className={`figure ${styles.time}`}>{timeSince(state.since, now)}</span>
      </p>
    </div>
  );
}

function Line({ line, now }: { readonly line: Doing; readonly now: number }) {
  const { who, what, isWaiting, since, depth } = line;
  return (
    <li className={styles.line} style={{ paddingInlineStart: `${Math.min(depth, 4) * 1.1}rem` }}>
      <InstanceName name={who} className={styles.who} />
      <span className={styles.what}>{isWaiting && what === '' ? 'waits for its turn' : what}</span>
      <span className={`figure ${styles.time}`}>{timeSince(since, now)}</span>
    </li>
  );
}

function wordOf({ isThinking, text, doing, wrapsUpBy }: Answer): string {
  if (wrapsUpBy !== undefined)
    return `${wrapsUpBy === 'stop' ? 'Stopping' : 'A limit is reached'}: it sums up what it has`;
  if (doing.length > 0) return 'Working';
  if (isThinking) return 'Thinking';
  return text === '' ? 'Working' : 'Writing';
}

/** Clocks of two machines may differ. */
function timeSince(since: number, now: number): string {
  return secondsOf(Math.max(0, now - since));
}
