// Leave for a call: what it would be called with, and yes or no.

import type { Json, Question } from '@ai-agent/core';
import { useId } from 'react';
import forms from './forms.module.css';
import { GrowArea } from './grow-area.tsx';
import { type KeptFilling, useKeptWords } from './kept-filling.ts';
import { LongText } from './long-text.tsx';
import { toText } from './parse-json.ts';
import styles from './question-form.module.css';

export interface ApprovalFormProps {
  readonly question: Question;
  /** Where it is kept while the form is not shown. */
  readonly kept?: KeptFilling | undefined;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: Json) => void;
}

export function ApprovalForm({ question: { call }, kept, isBusy, onAnswer }: ApprovalFormProps) {
  const id = useId();
  const [reason = '', setReason] = useKeptWords(kept);
  return (
    <div className={forms.fields}>
      {call ? (
        <div className={styles.args}>
          <LongText label={`Arguments of ${call.tool}`} text={showAll(toText(call.args))} />
        </div>
      ) : null}
      <div className={forms.part}>
        <label className={forms.label} htmlFor={id}>
          Reason, if you decline
        </label>
        <GrowArea id={id} value={reason} onText={setReason} />
      </div>
      <div className={styles.answers}>
        <button type="button" className={forms.main} disabled={isBusy} onClick={() => onAnswer({ isApproved: true })}>
          Approve
        </button>
        <button
          type="button"
          className={forms.plain}
          disabled={isBusy}
          onClick={() => onAnswer({ isApproved: false, reason: reason.trim() })}
        >
          Decline
        </button>
      </div>
    </div>
  );
}

/** Nothing that is approved may hide: what turns the direction of writing, or has no width, is written as its code. */
function showAll(text: string): string {
  return text.replace(
    /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
