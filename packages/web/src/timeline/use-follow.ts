// Whoever is at the end of the timeline stays there while more comes.

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.ts';

export function useFollow(rows: readonly Row[], scroll: RefObject<HTMLDivElement | null>): void {
  const wasAtEnd = useRef(false);
  useEffect(() => {
    const place = scroll.current;
    if (!place) return;
    const look = () => {
      const isLong = place.scrollHeight > place.clientHeight + 4;
      wasAtEnd.current = isLong && place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
    };
    place.addEventListener('scroll', look, { passive: true });
    return () => place.removeEventListener('scroll', look);
  }, [scroll]);
  const isLive = rows.at(-1)?.isLive === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows when there are more rows
  useLayoutEffect(() => {
    const place = scroll.current;
    if (place && isLive && wasAtEnd.current) place.scrollTop = place.scrollHeight;
  }, [rows.length, isLive]);
}
