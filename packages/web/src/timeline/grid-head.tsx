// What the columns of the timeline are, and the axis of the round that is in sight.

import { Axis } from './axis.tsx';
import type { Scale } from './scale.ts';
import styles from './tree-grid.module.css';

export function GridHead({ height, scale }: { readonly height: number; readonly scale: Scale | undefined }) {
  return (
    <thead className={styles.block}>
      <tr className={styles.head} aria-rowindex={1} style={{ height }}>
        <th scope="col">What</th>
        <th scope="col" className={styles.when}>
          <span className="unseen">When</span>
          {scale ? <Axis scale={scale} /> : null}
        </th>
        <th scope="col">Time</th>
        <th scope="col">Tokens</th>
        <th scope="col">Cost</th>
        <th scope="col">Cached</th>
      </tr>
    </thead>
  );
}
