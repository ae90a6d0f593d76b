// Things that are done seldom, behind one button. Its children are buttons.

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './menu.module.css';

export interface MenuProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Menu({ label, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = ({ target }: PointerEvent) => {
      if (target instanceof Node && !place.current?.contains(target)) setOpen(false);
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A dialog that was opened from here has its own Escape.
    if (event.key === 'Escape' && place.current?.contains(event.target as Node)) close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys come here from the buttons inside
    <div ref={place} className={styles.menu} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: clicks come here from the buttons inside */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
      <div id={id} className={styles.list} hidden={!isOpen} onClick={isOpen ? close : undefined}>
        {children}
      </div>
    </div>
  );
}
