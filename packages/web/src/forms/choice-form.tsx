// An answer that is one of a few.

import type { Json } from '@ai-agent/core';
import { type FormEvent, useId } from 'react';
import forms from './forms.module.css';
import { type KeptFilling, useKeptWords } from './kept-filling.ts';
import styles from './question-form.module.css';

export interface ChoiceFormProps {
  readonly choices: readonly string[];
  readonly about: string;
  /** Where it is kept while the form is not shown. */
  readonly kept?: KeptFilling | undefined;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: Json) => void;
}

export function ChoiceForm({ choices, about, kept, isBusy, onAnswer }: ChoiceFormProps) {
  const name = useId();
  const [chosen, setChosen] = useKeptWords(kept);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && chosen !== undefined) onAnswer(chosen);
  };
  return (
    <form className={forms.fields} onSubmit={submit}>
      <fieldset className={styles.choices} aria-describedby={about}>
        <legend className="unseen">Your answer</legend>
        {[...new Set(choices)].map((choice) => (
          <label key={choice} className={styles.choice}>
            <input type="radio" name={name} checked={choice === chosen} onChange={() => setChosen(choice)} />
            <span>{choice}</span>
          </label>
        ))}
      </fieldset>
      <div className={forms.bar}>
        <button type="submit" className={forms.main} disabled={isBusy || chosen === undefined}>
          Answer
        </button>
      </div>
    </form>
  );
}
