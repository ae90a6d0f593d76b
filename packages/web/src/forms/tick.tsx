// A box to tick, with its label beside it.

import type { ControlProps } from './controls.tsx';
import type { BooleanField } from './field.ts';
import styles from './forms.module.css';
import { About, type FrameProps } from './frame.tsx';

export interface TickProps extends Omit<ControlProps<BooleanField>, 'isRequired'> {
  readonly frame: Omit<FrameProps, 'children'>;
}

export function Tick({ field, draft, onDraft, ties, frame: { id, label, problem } }: TickProps) {
  const isTicked = draft.type === 'boolean' && draft.value;
  const { 'aria-required': _, ...rest } = ties;
  return (
    <div className={styles.part}>
      <label className={styles.option} htmlFor={id}>
        <input
          {...rest}
          type="checkbox"
          checked={isTicked}
          onChange={() => onDraft({ type: 'boolean', value: !isTicked })}
        />
        <span className={styles.label}>{label}</span>
      </label>
      <About id={id} field={field} problem={problem} />
    </div>
  );
}
