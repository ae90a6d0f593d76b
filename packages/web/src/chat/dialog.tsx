// Something that is looked at by itself: over the page, named, and closed by Escape. What had the focus gets it back.

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import styles from './dialog.module.css';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** On the button that leaves everything as it is. @default 'Close' */
  readonly closeLabel?: string;
  readonly children: ReactNode;
}

export function Dialog({ title, onClose, closeLabel = 'Close', children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    place.current?.showModal();
    return () => {
      // The browser gave it back already, and whoever has it now may have gone elsewhere since.
      const isLost = document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // What opens it may be hidden meanwhile.
  return createPortal(
    <dialog ref={place} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <button type="button" className={styles.close} onClick={() => place.current?.close()}>
          {closeLabel}
        </button>
      </header>
      {children}
    </dialog>,
    document.body,
  );
}
