// A part of a form that is written as JSON.

import type { Ties } from './controls.tsx';
import { GrowArea } from './grow-area.tsx';

export interface JsonAreaProps {
  readonly ties: Ties;
  readonly text: string;
  readonly kind?: 'object' | 'array' | undefined;
  readonly lines?: number;
  readonly onText: (text: string) => void;
  readonly onBlur?: () => void;
}

export function JsonArea({ ties, text, kind, lines = 2, onText, onBlur = ties.onBlur }: JsonAreaProps) {
  const placeholder = kind === 'array' ? '[ … ]' : kind === 'object' ? '{ … }' : 'JSON';
  return (
    <GrowArea {...ties} value={text} lines={lines} isCode placeholder={placeholder} onText={onText} onBlur={onBlur} />
  );
}
