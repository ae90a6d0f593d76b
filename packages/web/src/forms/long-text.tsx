// Text as it is, in a box of its own; of very much of it the beginning, until somebody wants all.

import { useState } from 'react';
import styles from './long-text.module.css';

export interface LongTextProps {
  readonly label: string;
  readonly text: string;
  /** How many characters are shown at first. @default 20000 */
  readonly head?: number;
}

export function LongText({ label, text, head = 20_000 }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  const rest = isWhole ? 0 : text.length - head;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard scrolls it too */}
      <section className={styles.box} aria-label={label} tabIndex={0}>
        <pre className={styles.text}>{rest > 0 ? `${text.slice(0, head)}…` : text}</pre>
      </section>
      {rest > 0 ? (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          Show all: {rest.toLocaleString()} more characters
        </button>
      ) : null}
    </>
  );
}
