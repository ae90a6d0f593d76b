// What went wrong, and what to do about it.

import type { Failure } from '../server/documents.ts';
import styles from './problem.module.css';

export interface ProblemProps {
  readonly failure: Failure;
  readonly onRetry?: () => void;
  /** @default 'Try again' */
  readonly retryLabel?: string;
}

export function Problem({ failure, onRetry, retryLabel = 'Try again' }: ProblemProps) {
  return (
    <div className={styles.problem} role="alert">
      <p className={styles.message}>{failure.message}</p>
      {failure.remedy ? <p className={styles.remedy}>{failure.remedy}</p> : null}
      <p className={styles.code}>
        {failure.class} · {failure.code}
      </p>
      {onRetry ? (
        <button type="button" className={styles.again} onClick={onRetry}>
          {retryLabel}
        </button>
      ) : null}
    </div>
  );
}
