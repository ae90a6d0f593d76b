// Puts a text where it can be pasted from, and says so for a moment.

import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

export interface CopyButtonProps {
  readonly label: string;
  /** Asked when it is copied: it may be long to write. */
  readonly toText: () => string;
  readonly className?: string | undefined;
  /** Where the label alone does not say what is copied. */
  readonly name?: string;
}

export function CopyButton({ label, toText, className, name }: CopyButtonProps) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid((await copyText(toText())) ? 'Copied' : 'Not copied');
  return (
    <button
      type="button"
      className={className}
      aria-label={said ?? name}
      onClick={(event) => {
        // Whatever it stands in stays open: it says that it has copied.
        event.stopPropagation();
        void copy();
      }}
    >
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}
