// What can be done about a row: stop a sub-agent alone, try again from a turn of the root, answer what is asked.

import type { Json, Question } from '@ai-agent/core';
import { useState } from 'react';
import { Problem } from '../../app/problem.tsx';
import { QuestionForm } from '../../forms/question-form.tsx';
import type { Failure, Standing } from '../../server/documents.ts';
import { toFailure } from '../../server/to-failure.ts';
import type { Row } from '../rows.ts';
import { stoppableIn } from '../use-stopping.ts';
import styles from './details.module.css';
import type { DetailsProps } from './details-props.ts';

export function Controls({ row, api, view, picture, stopping, onChanged, onOpenSession }: DetailsProps) {
  const { isBusy, failure, act } = useAction();
  const child = stoppableIn(row);
  const from = retryFrom(row);
  const question = questionOf(row, picture.standing?.question);
  if (!child && !from && !question) return null;
  const retry = () => act(() => api.start({ retry: { session: view.id, ...from } }), onOpenSession);
  const answer = (given: Json) => act(() => api.answer(view.id, given), onChanged);
  return (
    <div className={styles.controls}>
      {question ? (
        <div className={styles.question}>
          <QuestionForm question={question} isBusy={isBusy} failure={failure} onAnswer={answer} />
        </div>
      ) : null}
      {child ? (
        <Action
          name={`${stopping.told.has(child) ? 'Stopping' : 'Stop'} ${row.label}`}
          hint="It wraps up, and its caller goes on with what it has."
          onAct={() => stopping.stop(child)}
        />
      ) : null}
      {from ? (
        <Action
          name="Retry from here"
          hint="A new session on what was said before; this one is left as it is."
          onAct={retry}
        />
      ) : null}
      {failure && !question ? <Problem failure={failure} /> : null}
    </div>
  );
}

function Action({ name, hint, onAct }: { readonly name: string; readonly hint: string; readonly onAct: () => void }) {
  return (
    <>
      <button type="button" className={styles.button} onClick={onAct}>
        {name}
      </button>
      <p className={styles.hint}>{hint}</p>
    </>
  );
}

/** A turn of the root that asked its model, or the beginning of its round. Nothing for whatever is below. */
function retryFrom({ kind, node, round }: Row): { readonly round: number; readonly turn?: number } | undefined {
  const { session, turn, operation } = node;
  const id = (session ?? operation)?.trace.selfId;
  if (id !== round.id || turn?.step) return undefined;
  // A round that went on from an answer does not begin with its first turn.
  if (kind === 'session' || kind === 'round') return round.isRepeatable ? { round: round.number } : undefined;
  if (kind === 'tool' || !turn?.operations.some(({ type }) => type === 'model')) return undefined;
  return { round: round.number, turn: turn.number };
}

function questionOf({ kind, node }: Row, question: Question | undefined): Question | undefined {
  const isSession = kind === 'session' || kind === 'round';
  return isSession && node.session?.trace.selfId === question?.sessionId ? question : undefined;
}

function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const act = async (request: () => Promise<Standing>, then: (standing: Standing) => void) => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      then(await request());
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, act };
}
