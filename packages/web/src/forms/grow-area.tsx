// A place to write in that grows with what is written.

import type { ComponentProps } from 'react';
import styles from './forms.module.css';

export interface GrowAreaProps extends Omit<ComponentProps<'textarea'>, 'onChange' | 'rows'> {
  readonly value: string;
  /** How many lines it has when it is empty. @default 1 */
  readonly lines?: number;
  readonly isCode?: boolean;
  readonly onText: (text: string) => void;
}

export function GrowArea({ value, lines = 1, isCode = false, onText, ...rest }: GrowAreaProps) {
  // Browsers that do not fit it to its text by themselves go by the lines.
  const rows = Math.min(16, Math.max(lines, value.split('\n', 17).length));
  return (
    <textarea
      {...rest}
      className={styles.area}
      data-code={isCode}
      spellCheck={!isCode}
      rows={rows}
      value={value}
      onChange={(event) => onText(event.target.value)}
    />
  );
}
