// A text that grows is drawn as often as drawing it allows: a long one less often, so that most of the time is left for the reader.

import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How much longer than it took to draw is waited before it is drawn again. */
const share = 3;
const longestMs = 1_000;

/** How many characters are new at most when it is drawn: who comes in the middle of a long text gets it piece by piece. */
const mostNew = 12_000;

/** What to draw now. When nothing more comes it is all of it. */
export function usePace(text: string, isGrowing: boolean): string {
  const [drawn, setDrawn] = useState(() => (isGrowing ? text.slice(0, mostNew) : text));
  const last = useRef({ begunAt: 0, endedAt: 0 });
  useEffect(() => {
    if (text === drawn || !isGrowing) return;
    const { begunAt, endedAt } = last.current;
    const isBehind = text.length > drawn.length + mostNew;
    const rest = isBehind ? 0 : Math.min((endedAt - begunAt) * share, longestMs);
    const draw = () => {
      last.current.begunAt = performance.now();
      setDrawn((before) => text.slice(0, (text.startsWith(before) ? before.length : 0) + mostNew));
    };
    const timer = setTimeout(draw, Math.max(0, endedAt + rest - performance.now()));
    return () => clearTimeout(timer);
  }, [text, isGrowing, drawn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is when this was drawn that counts
  useLayoutEffect(() => {
    last.current.endedAt = performance.now();
  }, [drawn]);
  return isGrowing ? drawn : text;
}
