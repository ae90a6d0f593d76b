// The text of an answer: plain until what draws Markdown is there, which is loaded when somebody begins to write.

import { type ComponentType, useEffect, useState } from 'react';
import type { MarkdownProps } from '../markdown/drawn.tsx';

let loading: Promise<ComponentType<MarkdownProps>> | undefined;
let loaded: ComponentType<MarkdownProps> | undefined;

export function loadMarkdown(): void {
  loading ??= import('../markdown/drawn.tsx').then(({ DrawnMarkdown }) => {
    loaded = DrawnMarkdown;
    return DrawnMarkdown;
  });
  loading.catch(() => {
    loading = undefined;
  });
}

export function Answer(props: MarkdownProps) {
  const [, setThere] = useState(loaded !== undefined);
  useEffect(() => {
    if (loaded) return;
    let isHere = true;
    loadMarkdown();
    loading?.then(() => isHere && setThere(true)).catch(() => {});
    return () => {
      isHere = false;
    };
  }, []);
  const Markdown = loaded;
  return Markdown ? <Markdown {...props} /> : <p className="plain">{props.text}</p>;
}
