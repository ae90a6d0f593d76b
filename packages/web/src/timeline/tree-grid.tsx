// The rows of the timeline: a tree with columns, of which only what is seen is in the page.

import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Round } from '../session/round.ts';
import { GridHead } from './grid-head.tsx';
import { toMove } from './moves.ts';
import { RowView } from './row-view.tsx';
import type { Row } from './rows.ts';
import { type Scale, toScale } from './scale.ts';
import styles from './tree-grid.module.css';
import { useFollow } from './use-follow.ts';
import { useWidth } from './use-width.ts';

export interface TreeGridProps {
  readonly rows: readonly Row[];
  readonly now: number;
  /** The row that keys go from. @default the first */
  readonly active: string | undefined;
  /** The row whose details are open. */
  readonly selected: string | undefined;
  /** The session that waits for an answer. */
  readonly asking: string | undefined;
  /** Sessions that were told to stop. */
  readonly stopping: ReadonlySet<string>;
  readonly onStop: (session: string) => void;
  /** Whether the active row is to be gone to. */
  readonly wantsFocus: boolean;
  readonly onFocused: () => void;
  readonly onGo: (id: string) => void;
  readonly onSelect: (id: string, isByKey: boolean) => void;
  readonly onTurn: (id: string, isOpen: boolean) => void;
}

const headHeight = 30;
/** On a small screen the track is below the name. */
const rowHeights = { wide: 30, narrow: 46 };
const narrowPixels = 520;

export function TreeGrid(props: TreeGridProps) {
  const { rows, now, selected, asking, stopping, onStop, onSelect, onTurn } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const isNarrow = useWidth(scroll) < narrowPixels;
  const rowHeight = isNarrow ? rowHeights.narrow : rowHeights.wide;
  const scales = useScales(rows, now);
  const activeIndex = Math.max(
    0,
    useMemo(() => rows.findIndex(({ id }) => id === props.active), [rows, props.active]),
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    // Who has the focus stays in the page, wherever it is scrolled to.
    rangeExtractor: useCallback((range: Range) => withIndex(defaultRangeExtractor(range), activeIndex), [activeIndex]),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measures anew when the rows have another height
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  useFocus(props, () => virtual.scrollToIndex(activeIndex), scroll);
  useFollow(rows, scroll);
  // The details take some of the room: whose they are stays in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when they open, and not whenever rows come
  useEffect(() => {
    if (selected !== undefined) virtual.scrollToIndex(activeIndex);
  }, [virtual, selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    const pageSize = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / rowHeight) - 2);
    const move = isForRow(event) ? toMove(rows, activeIndex, event.key, pageSize) : undefined;
    if (!move) return;
    event.preventDefault();
    if (move.type === 'turn') onTurn(move.id, move.isOpen);
    else if (move.type === 'select') onSelect(move.id, true);
    else props.onGo(rows[move.index]?.id ?? '');
  };
  const items = virtual.getVirtualItems();
  const atTop =
    rows[virtual.getVirtualIndexes().find((index) => index * rowHeight >= (virtual.scrollOffset ?? 0)) ?? 0];
  // A row of a round has its own axis.
  const topScale = atTop && atTop.kind !== 'round' ? scales.get(atTop.round) : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is in it takes the focus, and the keys come here
    <div ref={scroll} className={styles.grid} data-narrow={isNarrow} onKeyDown={onKeyDown}>
      <table
        className={styles.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose rows open and close
        role="treegrid"
        aria-label="What was done, over time"
        aria-rowcount={rows.length + 1}
      >
        <GridHead height={headHeight} scale={topScale} />
        <tbody className={styles.rows} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const row = rows[index];
            const scale = row && scales.get(row.round);
            if (!row || !scale) return null;
            return (
              <RowView
                key={key}
                row={row}
                index={index}
                top={start - headHeight}
                height={rowHeight}
                scale={scale}
                now={row.isLive ? now : 0}
                isActive={index === activeIndex}
                isSelected={row.id === selected}
                isAsking={asking !== undefined && row.node.session?.trace.selfId === asking}
                isStopping={stopping.has(row.node.session?.trace.selfId ?? '')}
                onStop={onStop}
                onSelect={onSelect}
                onTurn={onTurn}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function useScales(rows: readonly Row[], now: number): ReadonlyMap<Round, Scale> {
  return useMemo(() => {
    const scales = new Map<Round, Scale>();
    for (const { round, isLive } of rows) {
      if (scales.has(round)) continue;
      const endedAt = round.endedAt ?? (isLive ? Math.max(now, round.lastAt) : round.lastAt);
      scales.set(round, toScale(round.startedAt, endedAt, isLive && round.endedAt === undefined));
    }
    return scales;
  }, [rows, now]);
}

function useFocus(
  { active, wantsFocus, onFocused }: TreeGridProps,
  bringIntoView: () => void,
  scroll: React.RefObject<HTMLDivElement | null>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes there when that is asked for, and not again
  useLayoutEffect(() => {
    if (!wantsFocus) return;
    bringIntoView();
    scroll.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus({ preventScroll: true });
    onFocused();
  }, [active, wantsFocus]);
}

/** Keys with others are for the browser; those in a control of a row are for that. */
function isForRow({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && (target as HTMLElement).matches('tr');
}

function withIndex(indexes: number[], index: number): number[] {
  return indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b);
}
