// The bar of a row: when it waited, and when it worked.

import type { Row } from './rows.ts';
import { type Scale, shareOf, ticksOf } from './scale.ts';
import styles from './track.module.css';

export interface TrackProps {
  readonly row: Row;
  readonly scale: Scale;
  readonly now: number;
}

export function Track({ row, scale, now }: TrackProps) {
  const from = shareOf(scale, row.requestedAt);
  const to = shareOf(scale, row.endedAt ?? now);
  const begin = row.startedAt === undefined ? to : shareOf(scale, row.startedAt);
  return (
    <span className={styles.track}>
      {ticksOf(scale).map(({ share, label }) => (
        <span key={label} className={styles.line} data-tick={label} style={{ left: `${share * 100}%` }} />
      ))}
      {begin - from > 0.002 ? <span className={styles.wait} style={span(from, begin)} /> : null}
      {row.startedAt === undefined ? null : <span className={styles.work} style={span(begin, to)} />}
    </span>
  );
}

function span(from: number, to: number): { readonly left: string; readonly width: string } {
  return { left: `${from * 100}%`, width: `${Math.max(0, to - from) * 100}%` };
}
