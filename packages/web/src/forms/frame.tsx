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
export function Labelled({ children, ...frame }: FrameProps) {
  return (
    <div className={styles.part}>
      <label className={frame.isLabelUnseen ? 'unseen' : styles.label} htmlFor={frame.id}>
        <Title {...frame} />
      </label>
      <About {...frame}>{children}</About>
    </div>
  );
}

/** Around several under one name. */
export function Grouped({ children, ...frame }: FrameProps) {
  const { 'aria-describedby': described } = toTies(frame);
  const isWrong = frame.problem !== undefined;
  return (
    <fieldset className={styles.part} aria-describedby={described} data-problem={isWrong ? '' : undefined}>
      <legend className={frame.isLabelUnseen ? 'unseen' : styles.label}>
        <Title {...frame} />
      </legend>
      <About {...frame}>{children}</About>
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

function Title({ label, isRequired, isMarked = isRequired }: Pick<FrameProps, 'label' | 'isRequired' | 'isMarked'>) {
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

export interface AboutProps extends Pick<FrameProps, 'id' | 'field' | 'problem'> {
  readonly children?: ReactNode;
}

/** What helps above the control, and what is wrong below it. */
export function About({ id, field, problem, children }: AboutProps) {
  return (
    <>
      {isHelped(field) ? (
        <p id={`${id}-help`} className={styles.help}>
          {[field.description, limitsOf(field)].filter(Boolean).join(' ')}
        </p>
      ) : null}
      {children}
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </>
  );
}
