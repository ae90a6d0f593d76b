// A question of an agent, from any depth, and the place to answer it.

import type { Json, Question } from '@ai-agent/core';
import { useEffect, useId, useRef } from 'react';
import { Problem } from '../app/problem.tsx';
import type { Failure } from '../server/documents.ts';
import { ApprovalForm } from './approval-form.tsx';
import { ChoiceForm } from './choice-form.tsx';
import type { KeptFilling } from './kept-filling.ts';
import styles from './question-form.module.css';
import { SchemaForm } from './schema-form.tsx';
import { TextForm } from './text-form.tsx';

export interface QuestionFormProps {
  readonly question: Question;
  /** Who asks, where more is known of that than the question says. */
  readonly asker?: { readonly name: string; readonly title?: string };
  /** Where a half-written answer is kept while it is not shown. */
  readonly kept?: KeptFilling;
  readonly isBusy: boolean;
  /** Why the last answer was not taken. What was typed is still there. */
  readonly failure?: Failure | undefined;
  readonly onAnswer: (answer: Json) => void;
}

/** For those who load it when it is needed. */
export default QuestionForm;

export function QuestionForm({ question, asker, kept, isBusy, failure, onAnswer }: QuestionFormProps) {
  const id = useId();
  const place = useRef<HTMLElement>(null);
  const { text, agentName, call } = question;
  useEffect(() => {
    // It has taken the place of what had the focus. Not its first button: somebody may be in the middle of a word.
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={place} className={styles.question} tabIndex={-1} aria-labelledby={`${id}-who`}>
      <h3 id={`${id}-who`} className={styles.who}>
        <b>{asker?.name ?? agentName}</b> {saysOf(question)}
        {call ? <code className={styles.tool}> {call.tool}</code> : null}
        {asker?.title === undefined ? null : ` · ${asker.title}`}
      </h3>
      {/* Of a call its own text would say the arguments once more. */}
      {call ? null : (
        <p id={`${id}-text`} className={styles.text}>
          {text}
        </p>
      )}
      {/* Another question is another form: nothing of the last answer stands in it. */}
      <Answer
        key={question.handle}
        question={question}
        about={`${id}-text`}
        kept={kept}
        isBusy={isBusy}
        onAnswer={onAnswer}
      />
      {failure ? <Problem failure={failure} /> : null}
    </section>
  );
}

function saysOf({ type, call }: Question): string {
  if (type === 'question') return 'asks';
  return call ? 'wants to call' : 'asks for leave';
}

export interface AnswerProps {
  readonly question: Question;
  /** The id of the text that says what is asked. */
  readonly about: string;
  readonly kept: KeptFilling | undefined;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: Json) => void;
}

function Answer(props: AnswerProps) {
  const { question, kept, isBusy, onAnswer } = props;
  const { choices, schema } = question;
  if (question.type === 'approval') return <ApprovalForm {...props} />;
  if (choices && choices.length > 0) return <ChoiceForm {...props} choices={choices} />;
  if (schema)
    return (
      <SchemaForm
        schema={schema}
        label="Your answer"
        {...(kept ? { kept } : {})}
        submitLabel="Answer"
        isBusy={isBusy}
        onSubmit={onAnswer}
      />
    );
  return <TextForm {...props} />;
}
