// The ticks of a scale, with their times.

import { useRef } from 'react';
import styles from './axis.module.css';
import { type Scale, ticksWithRoom } from './scale.ts';
import { useWidth } from './use-width.ts';

export function Axis({ scale }: { readonly scale: Scale }) {
  const place = useRef<HTMLSpanElement>(null);
  const width = useWidth(place);
  return (
    <span ref={place} className={styles.axis} aria-hidden="true">
      {ticksWithRoom(scale, width).map(({ share, label }) => (
        <span key={share} className={styles.tick} data-tick={label} style={{ left: `${share * 100}%` }}>
          {label}
        </span>
      ))}
    </span>
  );
}
