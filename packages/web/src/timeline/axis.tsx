// The ticks of a scale, with their times.

import styles from './axis.module.css';
import { type Scale, ticksOf } from './scale.ts';

export function Axis({ scale }: { readonly scale: Scale }) {
  return (
    <span className={styles.axis} aria-hidden="true">
      {ticksOf(scale).map(({ share, label }) => (
        <span key={label} className={styles.tick} data-tick={label} style={{ left: `${share * 100}%` }}>
          {share > 0.88 ? '' : label}
        </span>
      ))}
    </span>
  );
}
