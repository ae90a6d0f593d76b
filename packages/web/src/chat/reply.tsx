// Below what was said: the question that is open, the form that an agent wants filled in, or the place to write.

import { Problem } from '../app/problem.tsx';
import { QuestionForm } from '../forms/question-form.tsx';
import { SchemaForm } from '../forms/schema-form.tsx';
import { type AgentEntry, isAtWork, type Standing } from '../server/documents.ts';
import { BudgetFields } from './budget-fields.tsx';
import { Composer } from './composer.tsx';
import styles from './reply.module.css';
import type { Sending } from './use-sending.ts';

export interface ReplyProps {
  /** Missing where it is not served any more. */
  readonly agent: AgentEntry | undefined;
  readonly standing: Standing | undefined;
  readonly sending: Sending;
}

export function Reply({ agent, standing, sending }: ReplyProps) {
  const { failure, isBusy, budget, setBudget } = sending;
  if (!standing) return null;
  const isWorking = isAtWork(standing) || isBusy;
  // While an answer is on its way the form stays: should it be refused, what was typed is still there.
  if (standing.question && !isAtWork(standing))
    return (
      <div className={styles.form} data-asks="">
        <QuestionForm
          key={`${standing.rounds} ${standing.question.handle}`}
          question={standing.question}
          isBusy={isBusy}
          onAnswer={(answer) => void sending.answer(answer)}
          {...(failure ? { failure } : {})}
        />
      </div>
    );
  if (!agent)
    return <p className={styles.note}>{standing.agent} is not served any more: this talk can only be read.</p>;
  const limits = <BudgetFields value={budget} allowed={agent.budget} onChange={setBudget} />;
  const { format, schema } = agent.input;
  if (format === 'json' && schema)
    return (
      <div className={styles.form}>
        {failure ? <Problem failure={failure} /> : null}
        {isAtWork(standing) ? null : (
          <details>
            <summary className={styles.again}>Ask again</summary>
            <SchemaForm
              schema={schema}
              submitLabel="Ask"
              isBusy={isBusy}
              onSubmit={(value) => void sending.sendValue(value)}
            />
            <div className={styles.limits}>{limits}</div>
          </details>
        )}
      </div>
    );
  return (
    <Composer
      placeholder={isWorking ? 'You can write the next message meanwhile' : `Go on with ${agent.name}`}
      takes={agent.attachments}
      failure={failure}
      focus={sending.count}
    >
      {limits}
    </Composer>
  );
}
