// Above a talk: what it is about, and what can be done about it.

import type { ReactNode } from 'react';
import styles from './talk-header.module.css';

export interface TalkHeaderProps {
  readonly title: string;
  /** Who is asked, how it stands. */
  readonly about?: ReactNode;
  /** On a small screen: shows the list of conversations. */
  readonly onAside: () => void;
  readonly children?: ReactNode;
}

export function TalkHeader({ title, about, onAside, children }: TalkHeaderProps) {
  return (
    <header className={styles.header}>
      <button type="button" className={styles.aside} aria-label="Conversations" onClick={onAside}>
        <span className={styles.bars} />
      </button>
      <div className={styles.names}>
        <h1 className={styles.title}>{title}</h1>
        {about ? <p className={styles.about}>{about}</p> : null}
      </div>
      {children}
    </header>
  );
}
