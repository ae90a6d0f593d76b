// An answer in words.

import type { Json } from '@ai-agent/core';
import { type FormEvent, type KeyboardEvent, useId } from 'react';
import styles from './forms.module.css';
import { GrowArea } from './grow-area.tsx';
import { type KeptFilling, useKeptWords } from './kept-filling.ts';

export interface TextFormProps {
  readonly about: string;
  /** Where it is kept while the form is not shown. */
  readonly kept?: KeptFilling | undefined;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: Json) => void;
}

export function TextForm({ about, kept, isBusy, onAnswer }: TextFormProps) {
  const id = useId();
  const [text = '', setText] = useKeptWords(kept);
  const isEmpty = text.trim() === '';
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isBusy && !isEmpty) onAnswer(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  };
  return (
    <form className={styles.fields} onSubmit={submit}>
      <div className={styles.part}>
        <label className="unseen" htmlFor={id}>
          Your answer
        </label>
        <GrowArea id={id} lines={2} value={text} aria-describedby={about} onText={setText} onKeyDown={onKeyDown} />
      </div>
      <div className={styles.bar}>
        <button type="submit" className={styles.main} disabled={isBusy || isEmpty}>
          Answer
        </button>
      </div>
    </form>
  );
}
