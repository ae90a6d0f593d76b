// The entries of a list: added, moved and taken out, without the keyboard losing its place.

import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Draft, Item } from './draft.ts';
import styles from './forms.module.css';

export interface ItemsProps {
  readonly items: readonly Item[];
  readonly label: string;
  readonly labelOf: (index: number) => string;
  /** Whether an entry needs all the room there is. */
  readonly isWide: boolean;
  readonly isFull: boolean;
  readonly toNew: () => Draft;
  readonly onItems: (items: readonly Item[]) => void;
  readonly children: (item: Item, index: number) => ReactNode;
}

export function Items({ items, label, labelOf, isWide, isFull, toNew, onItems, children }: ItemsProps) {
  const place = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState<string>();
  useEffect(() => {
    if (focus === undefined) return;
    place.current?.querySelector<HTMLElement>(focus)?.focus();
    setFocus(undefined);
  }, [focus]);

  const add = () => {
    const id = Math.max(-1, ...items.map((item) => item.id)) + 1;
    onItems([...items, { id, draft: toNew() }]);
    setFocus(`[data-item="${id}"] :is(input, textarea, select, button)`);
  };
  const remove = (index: number) => {
    onItems(items.filter((_, i) => i !== index));
    setFocus('[data-add]');
  };
  const move = (index: number, by: number) => {
    const [item] = items.slice(index, index + 1);
    if (!item) return;
    onItems(items.toSpliced(index, 1).toSpliced(index + by, 0, item));
    setFocus(`[data-item="${item.id}"] [data-by="${by}"]:enabled, [data-item="${item.id}"] [data-by]:enabled`);
  };
  return (
    <div ref={place} className={styles.inside}>
      {items.map((item, index) => (
        <div key={item.id} className={styles.item} data-item={item.id} data-wide={isWide}>
          {children(item, index)}
          <div className={styles.tools}>
            <Tool label={`Move ${labelOf(index)} up`} by={-1} isOff={index === 0} onUse={() => move(index, -1)} />
            <Tool
              label={`Move ${labelOf(index)} down`}
              by={1}
              isOff={index === items.length - 1}
              onUse={() => move(index, 1)}
            />
            <Tool label={`Remove ${labelOf(index)}`} by={0} isOff={false} onUse={() => remove(index)} />
          </div>
        </div>
      ))}
      <button type="button" className={styles.plain} data-add="" disabled={isFull} onClick={add}>
        Add<span className="unseen"> to {label}</span>
      </button>
    </div>
  );
}

interface ToolProps {
  readonly label: string;
  /** Up, down, or out. */
  readonly by: -1 | 0 | 1;
  readonly isOff: boolean;
  readonly onUse: () => void;
}

const paths = {
  '-1': 'M8 12V4M4.5 7.5 8 4l3.5 3.5',
  '0': 'M4.5 4.5l7 7m0-7l-7 7',
  '1': 'M8 4v8m-3.5-3.5L8 12l3.5-3.5',
};

function Tool({ label, by, isOff, onUse }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      data-by={by}
      disabled={isOff}
      onClick={onUse}
    >
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        aria-hidden="true"
      >
        <path d={paths[by]} strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </button>
  );
}
