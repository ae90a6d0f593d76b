// Copies a text, also where a page may not write to the clipboard by itself.

import { type RefObject, useEffect, useState } from 'react';

export interface CopyButtonProps {
  readonly text: string;
  /** The element that shows it. */
  readonly place: RefObject<HTMLElement | null>;
}

export function CopyButton({ text, place }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1_600);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => setDone(await write(text, place.current));
  return (
    <button type="button" className="copy" onClick={copy} aria-label={isDone ? 'Copied' : 'Copy the code'}>
      {isDone ? 'Copied' : 'Copy'}
    </button>
  );
}

/** Browsers have a clipboard only where the connection is a safe one. */
async function write(text: string, place: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!place) return false;
    getSelection()?.selectAllChildren(place);
    return document.execCommand('copy');
  }
}
