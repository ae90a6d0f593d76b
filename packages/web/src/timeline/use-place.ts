// Where one is in the timeline: the row that keys go from, the row whose details are open, and where the focus is to go.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Row } from './rows.ts';

export interface Place {
  readonly active: string | undefined;
  /** The row whose details are open. */
  readonly shown: Row | undefined;
  readonly focusOn: 'row' | 'details' | undefined;
  readonly select: (id: string, isByKey: boolean) => void;
  readonly goTo: (id: string) => void;
  /** Closes the details. */
  readonly close: () => void;
  readonly onFocused: () => void;
}

export function usePlace(rows: readonly Row[]): Place {
  const [selected, setSelected] = useState<string>();
  const [active, setActive] = useState<string>();
  const [focusOn, setFocusOn] = useState<Place['focusOn']>();
  const shown = useShown(rows, selected);

  const select = useCallback((id: string, isByKey: boolean) => {
    setActive(id);
    setSelected(id);
    if (isByKey) setFocusOn('details');
  }, []);
  const goTo = useCallback((id: string) => {
    setActive(id);
    setSelected((before) => (before === undefined ? undefined : id));
    setFocusOn('row');
  }, []);
  const close = useCallback(() => {
    setSelected(undefined);
    setFocusOn('row');
  }, []);
  const onFocused = useCallback(() => setFocusOn(undefined), []);
  return { active, shown, focusOn, select, goTo, close, onFocused };
}

/** Also when somebody has closed what it was in. */
function useShown(rows: readonly Row[], selected: string | undefined): Row | undefined {
  const last = useRef<Row>(undefined);
  const found = useMemo(() => rows.find(({ id }) => id === selected), [rows, selected]);
  useEffect(() => {
    if (found) last.current = found;
  }, [found]);
  if (selected === undefined) return undefined;
  return found ?? (last.current?.id === selected ? last.current : undefined);
}
