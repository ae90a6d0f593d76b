// A question, and what is answered.

import type { Question } from '@ai-agent/core';
import { useState } from 'react';
import type { Failure } from '../server/documents.ts';

export interface QuestionFormProps {
  readonly question: Question;
  readonly isBusy: boolean;
  readonly failure?: Failure;
  readonly onAnswer: (answer: unknown) => void;
}

export function QuestionForm({ question, isBusy, failure, onAnswer }: QuestionFormProps) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(text);
      }}
    >
      <label>
        {question.text}
        <textarea value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      {failure ? <p role="alert">{failure.message}</p> : null}
      <button type="submit" disabled={isBusy}>
        Answer
      </button>
    </form>
  );
}
