// A question of an agent, and the place to answer it.

import type { Json, Question } from '@ai-agent/core';
import type { Failure } from '../server/documents.ts';

export interface QuestionFormProps {
  readonly question: Question;
  readonly isBusy: boolean;
  readonly failure?: Failure | undefined;
  readonly onAnswer: (answer: Json) => void;
}

export function QuestionForm({ question, isBusy, onAnswer }: QuestionFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer(String(new FormData(event.currentTarget).get('answer')));
      }}
    >
      <label>
        {question.text} <input name="answer" disabled={isBusy} />
      </label>
      <button type="submit">Answer</button>
    </form>
  );
}
