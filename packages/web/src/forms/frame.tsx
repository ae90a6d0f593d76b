// Around what is filled in: its label, its help, and what is wrong with it.

import type { ReactNode } from 'react';
import type { Ties } from './controls.tsx';
import type { Field } from './field.ts';
import styles from './forms.module.css';
import { limitsOf } from './limits-of.ts';

export interface FrameProps {
  readonly id: string;
  readonly field: Field;
  readonly label: string;
  /** Others say already what it is: only those who hear the page need to be told. */
  readonly isLabelUnseen?: boolean;
  readonly isRequired: boolean;
  /** Whether the label says that it is needed. @default isRequired */
  readonly isMarked?: boolean;
  readonly problem: string | undefined;
  /** Somebody has been in it, and goes on. */
  readonly onLeave?: () => void;
  readonly children: ReactNode;
}

/** Around one control. */
export function Labelled({
  id,
  field,
  label,
  isLabelUnseen,
  isRequired,
  isMarked = isRequired,
  problem,
  children,
}: FrameProps) {
  return (
    <div className={styles.part}>
      <label className={isLabelUnseen ? 'unseen' : styles.label} htmlFor={id}>
        <Title label={label} isMarked={isMarked} />
      </label>
      <Help id={id} field={field} />
      {children}
      <Wrong id={id} problem={problem} />
    </div>
  );
}

/** Around several under one name. */
export function Grouped({
  id,
  field,
  label,
  isLabelUnseen,
  isRequired,
  isMarked = isRequired,
  problem,
  children,
}: FrameProps) {
  const { 'aria-describedby': described } = toTies({ id, field, isRequired, problem });
  return (
    <fieldset
      className={styles.part}
      aria-describedby={described}
      data-problem={problem === undefined ? undefined : ''}
    >
      <legend className={isLabelUnseen ? 'unseen' : styles.label}>
        <Title label={label} isMarked={isMarked} />
      </legend>
      <Help id={id} field={field} />
      {children}
      <Wrong id={id} problem={problem} />
    </fieldset>
  );
}

/** What ties a control to what is said about it. */
export function toTies({ id, field, isRequired, problem, onLeave }: Omit<FrameProps, 'label' | 'children'>): Ties {
  const described = [...(isHelped(field) ? [`${id}-help`] : []), ...(problem === undefined ? [] : [`${id}-problem`])];
  return {
    id,
    'aria-required': isRequired,
    'aria-invalid': problem !== undefined,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
    onBlur: onLeave,
  };
}

function isHelped(field: Field): boolean {
  return field.description !== undefined || limitsOf(field) !== '';
}

export function Title({ label, isMarked }: { readonly label: string; readonly isMarked: boolean }) {
  return (
    <>
      {label}
      {isMarked ? (
        <span className={styles.needed} aria-hidden="true">
          {' *'}
        </span>
      ) : null}
    </>
  );
}

export function Help({ id, field }: { readonly id: string; readonly field: Field }) {
  if (!isHelped(field)) return null;
  return (
    <p id={`${id}-help`} className={styles.help}>
      {[field.description, limitsOf(field)].filter(Boolean).join(' ')}
    </p>
  );
}

export function Wrong({ id, problem }: { readonly id: string; readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p id={`${id}-problem`} className={styles.problem}>
      {problem}
    </p>
  );
}
