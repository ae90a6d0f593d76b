// Things that are done seldom, behind one button. Its children are buttons.

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import styles from './menu.module.css';

export interface MenuProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Menu({ label, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
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
    if (!place.current?.contains(event.target as Node)) return;
    if (event.key === 'Escape') close();
    const isMove = ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key);
    if (!isMove || (!isOpen && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    // What is hidden cannot have the focus.
    flushSync(() => setOpen(true));
    const items = [...(list.current?.querySelectorAll('button') ?? [])].filter(
      (item) => item.closest('dialog') === null,
    );
    items.at(placeAfter(event.key, items.indexOf(event.target as HTMLButtonElement), items.length))?.focus();
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
      <div ref={list} id={id} className={styles.list} hidden={!isOpen} onClick={isOpen ? close : undefined}>
        {children}
      </div>
    </div>
  );
}

/** From the button that opens it, -1, down is the first and up the last. */
function placeAfter(key: string, from: number, count: number): number {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return key === 'ArrowDown' ? (from + 1) % count : from <= 0 ? count - 1 : from - 1;
}
