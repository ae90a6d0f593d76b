// Puts a text where it can be pasted from, and says so for a moment.

import { useEffect, useState } from 'react';
import styles from './json-view.module.css';

export interface CopyButtonProps {
  readonly label: string;
  readonly toText: () => string;
}

export function CopyButton({ label, toText }: CopyButtonProps) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid((await copyText(toText())) ? 'Copied' : 'Not copied');
  return (
    <button type="button" className={styles.action} onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A page that came without TLS has no clipboard, but may copy what is selected. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}
