// The session as the timeline last took it in: not at every event, and the more seldom the longer that takes.

import type { Ledger } from '@ai-agent/core';
import { useEffect, useRef, useState } from 'react';
import { isAtWork } from '../server/documents.ts';
import type { Picture, SessionView } from '../session/session-view.ts';
import type { Scene } from './rows.ts';

export interface Snapshot extends Omit<Scene, 'expansion'> {
  readonly ledger: Ledger;
  /** Of the same moment: together they are all calls. */
  readonly underWay: SessionView['underWay'];
}

/** Between two of them; and how many times as long as one of them took. */
const leastPauseMs = 50;
const pauseTimes = 10;

export function useSnapshot(view: SessionView, picture: Picture): Snapshot {
  const [snapshot, setSnapshot] = useState(() => take(view, picture));
  const latest = useRef(picture);
  const costMs = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = picture;
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined;
        const began = performance.now();
        setSnapshot(take(view, latest.current));
        costMs.current = performance.now() - began;
      },
      Math.max(leastPauseMs, pauseTimes * costMs.current),
    );
  }, [view, picture]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return snapshot;
}

function take(view: SessionView, { rounds, live, standing }: Picture): Snapshot {
  return {
    rounds,
    live,
    ledger: view.ledger(),
    underWay: view.underWay,
    isAtWork: standing !== undefined && isAtWork(standing),
  };
}
