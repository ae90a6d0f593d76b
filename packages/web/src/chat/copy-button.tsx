// Copies a text, and says that it did.

import { useEffect, useState } from 'react';

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly className?: string | undefined;
}

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid((await copyText(text)) ? 'Copied' : 'Could not be copied');
  return (
    <button
      type="button"
      className={className}
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

/** A page that came without encryption has no clipboard: then a selection is copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const place = document.createElement('textarea');
  place.value = text;
  place.className = 'unseen';
  (document.querySelector('dialog[open]') ?? document.body).append(place);
  place.select();
  const isCopied = document.execCommand('copy');
  place.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
