// The time by which everything that runs is drawn: one clock for all rows, and none when nothing runs.

import { useEffect, useState } from 'react';
import type { SessionView } from '../session/session-view.ts';

const tickMs = 250;

export function useNow(view: SessionView, isRunning: boolean): number {
  const [now, setNow] = useState(() => view.now());
  useEffect(() => {
    if (!isRunning) return;
    const tick = () => document.visibilityState === 'visible' && setNow(view.now());
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [view, isRunning]);
  return now;
}
