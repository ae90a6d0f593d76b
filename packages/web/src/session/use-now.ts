// The time by which what runs is drawn, as the server has it; it stands still when nothing runs.

import { useEffect, useState } from 'react';
import type { SessionView } from './session-view.ts';

const tickMs = 250;

export function useNow(view: SessionView | undefined, isRunning: boolean): number {
  const [now, setNow] = useState(() => nowOf(view));
  useEffect(() => {
    if (!isRunning) return;
    const tick = () => document.visibilityState === 'visible' && setNow(nowOf(view));
    tick();
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [view, isRunning]);
  return now;
}

/** Before there is a session, that of this machine. */
function nowOf(view: SessionView | undefined): number {
  return view?.now() ?? Date.now();
}
