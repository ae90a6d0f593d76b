// Below what was said: the question that is open, the form that an agent wants filled in, or the place to write.

import type { Json, JsonSchema } from '@ai-agent/core';
import { type ReactNode, useContext } from 'react';
import { Problem } from '../app/problem.tsx';
import { parseJson } from '../forms/parse-json.ts';
import { QuestionForm } from '../forms/question-form.tsx';
import { SchemaForm } from '../forms/schema-form.tsx';
import { type AgentEntry, isAtWork } from '../server/documents.ts';
import type { Round } from '../session/round.ts';
import type { Picture } from '../session/session-view.ts';
import { askerOf } from './asker.ts';
import { BudgetFields } from './budget-fields.tsx';
import { Composer } from './composer.tsx';
import { DraftsContext } from './drafts.ts';
import { isOfLimits } from './limit-words.ts';
import styles from './reply.module.css';
import type { Sending } from './use-sending.ts';

export interface ReplyProps {
  /** Missing where it is not served any more. */
  readonly agent: AgentEntry | undefined;
  readonly picture: Picture;
  readonly sending: Sending;
}

export function Reply({ agent, picture, sending }: ReplyProps) {
  const drafts = useContext(DraftsContext);
  const { standing, rounds } = picture;
  const { failure, isBusy, budget, setBudget, typed } = sending;
  if (!standing) return null;
  const isWorking = isAtWork(standing) || isBusy;
  // While an answer is on its way the form stays: should it be refused, what was typed is still there.
  if (standing.question && !isAtWork(standing))
    return (
      <div className={styles.form} data-asks="">
        <QuestionForm
          key={`${standing.rounds} ${standing.question.handle}`}
          question={standing.question}
          kept={drafts.form(`${standing.id} ${standing.rounds} ${standing.question.handle}`)}
          asker={askerOf(standing.question, rounds)}
          isBusy={isBusy}
          onAnswer={(answer) => void sending.answer(answer)}
          {...(failure ? { failure } : {})}
        />
      </div>
    );
  if (!agent)
    return <p className={styles.note}>{standing.agent} is not served any more: this talk can only be read.</p>;
  const isLimit = !isWorking && isOfLimits(picture);
  const limits = (
    <BudgetFields
      value={budget}
      allowed={agent.budget}
      onChange={setBudget}
      isAsBefore={typed === undefined}
      isWanted={isLimit}
    />
  );
  const { format, schema } = agent.input;
  if (format === 'json' && schema)
    return (
      <div className={styles.form}>
        {failure ? <Problem failure={failure} /> : null}
        {isAtWork(standing) ? null : (
          <AskAgain
            schema={schema}
            id={standing.id}
            last={rounds.at(-1)}
            sending={sending}
            limits={limits}
            isOpen={isLimit}
          />
        )}
      </div>
    );
  return (
    <Composer
      placeholder={isWorking ? 'You can write the next message meanwhile' : `Go on with ${agent.name}`}
      takes={agent.attachments}
      failure={failure}
      focus={sending.count}
      draft={standing.id}
    >
      {limits}
    </Composer>
  );
}

interface AskAgainProps {
  readonly schema: JsonSchema;
  /** Of the session. */
  readonly id: string;
  readonly last: Round | undefined;
  readonly sending: Sending;
  readonly limits: ReactNode;
  /** One of the limits has to be changed. */
  readonly isOpen: boolean;
}

/** Begins with what was asked last. */
function AskAgain({ schema, id, last, sending, limits, isOpen }: AskAgainProps) {
  const drafts = useContext(DraftsContext);
  const asked = last ? askedIn(last) : undefined;
  const name = last?.id ?? id;
  return (
    <details open={isOpen}>
      <summary className={styles.again}>Ask again</summary>
      <SchemaForm
        key={name}
        schema={schema}
        {...(asked === undefined ? {} : { value: asked })}
        kept={drafts.form(name)}
        submitLabel="Ask"
        isBusy={sending.isBusy}
        onSubmit={(value) => void sending.sendValue(value)}
      />
      <div className={styles.limits}>{limits}</div>
    </details>
  );
}

function askedIn({ asked }: Round): Json | undefined {
  const part = asked?.content.find(({ type }) => type === 'text');
  const parsed = part?.type === 'text' ? parseJson(part.text) : undefined;
  return parsed && 'value' in parsed ? parsed.value : undefined;
}
