// A question of an agent, from any depth, and the place to answer it.

import type { Json, Question } from '@ai-agent/core';
import type { Failure } from '../server/documents.ts';

export interface QuestionFormProps {
  readonly question: Question;
  readonly isBusy: boolean;
  /** Why the last answer was not taken. */
  readonly failure?: Failure;
  readonly onAnswer: (answer: Json) => void;
}

export function QuestionForm({ question }: QuestionFormProps) {
  return <form>{question.text}</form>;
}
