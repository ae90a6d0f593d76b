// What was told of a session, line by line.

import { durationOf } from '../../app/time.ts';
import type { LogEntry, SessionLog } from '../../session/session-log.ts';
import styles from './details.module.css';

export function LogList({ log, startedAt }: { readonly log: SessionLog | undefined; readonly startedAt: number }) {
  if (!log || log.first.length === 0) return null;
  return (
    <details className={styles.fold}>
      <summary>Log</summary>
      <ol className={styles.log}>
        {log.first.map((entry) => (
          <Line key={`${entry.op} ${entry.event}`} entry={entry} startedAt={startedAt} />
        ))}
        {log.missing > 0 ? <li className={styles.hint}>{log.missing} lines are left out here</li> : null}
        {log.last.map((entry) => (
          <Line key={`${entry.op} ${entry.event}`} entry={entry} startedAt={startedAt} />
        ))}
      </ol>
    </details>
  );
}

function Line({ entry, startedAt }: { readonly entry: LogEntry; readonly startedAt: number }) {
  return (
    <li className={styles.logLine} data-level={entry.level}>
      <span className={styles.logAt}>+{durationOf(entry.at - startedAt)}</span>
      <span className={styles.logLevel}>{entry.level}</span>
      <span className={styles.logText}>{entry.message}</span>
    </li>
  );
}
