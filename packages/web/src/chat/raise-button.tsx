// More to use for a session that is at work: what holds, what is used, and what is to hold from now on.

import type { Totals } from '@ai-agent/core';
import { type FormEvent, Fragment, useState } from 'react';
import { Problem } from '../app/problem.tsx';
import type { Api } from '../server/api.ts';
import type { Failure, Standing } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import type { SessionView } from '../session/session-view.ts';
import { AmountInput, amounts, type Budget } from './budget-fields.tsx';
import { Dialog } from './dialog.tsx';
import styles from './raise-button.module.css';
import { usageWords } from './usage-line.tsx';

export interface RaiseButtonProps {
  readonly api: Api;
  readonly view: SessionView;
  readonly standing: Standing;
  /** What the file of the agent allows at most. */
  readonly allowed: Budget | undefined;
  readonly onChanged: (standing: Standing) => void;
}

export function RaiseButton(props: RaiseButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Raise limits
      </button>
      {isOpen ? <Raise {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Raise({
  api,
  view,
  standing,
  allowed,
  onChanged,
  onClose,
}: RaiseButtonProps & { readonly onClose: () => void }) {
  const { id, agent, budget = {} } = standing;
  const [wanted, setWanted] = useState<Budget>(budget);
  const [failure, setFailure] = useState<Failure>();
  const raise = async (event: FormEvent) => {
    event.preventDefault();
    try {
      onChanged(await api.raise(id, wanted));
      onClose();
    } catch (error) {
      setFailure(toFailure(error));
    }
  };
  const raisable = amounts.filter(({ key }) => budget[key] !== undefined);
  const fixed = amounts.filter(({ key }) => budget[key] === undefined);
  const holds = tellAll(budget);
  return (
    <Dialog title="Raise limits" onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void raise(event)}>
        <dl className={styles.facts}>
          <dt>Holds now</dt>
          <dd>{holds === '' ? 'nothing was bounded when it was asked' : holds}</dd>
          <dt>The file allows</dt>
          <dd>{tellAll(allowed ?? {}) || 'any amount'}</dd>
          <dt>Used so far</dt>
          <dd>{usedWords(view.ledger().total)}</dd>
        </dl>
        {fixed.length === 0 ? null : (
          <dl className={styles.facts}>
            {fixed.map(({ key, label, tell }) => (
              <Fragment key={key}>
                <dt>{label}</dt>
                <dd>{boundWords(agent, allowed?.[key], tell)}</dd>
              </Fragment>
            ))}
          </dl>
        )}
        <div className={styles.amounts}>
          {raisable.map((amount) => (
            <AmountInput key={amount.key} amount={amount} value={wanted} allowed={allowed} onChange={setWanted} />
          ))}
        </div>
        {failure ? <Problem failure={failure} /> : null}
        <p className={styles.note}>
          {raisable.length === 0
            ? 'What was not bounded when it was asked cannot be raised.'
            : 'A limit is never lowered, nor raised above what the file of the agent allows.'}
        </p>
        {raisable.length === 0 ? null : (
          <button type="submit" className={styles.submit}>
            Raise
          </button>
        )}
      </form>
    </Dialog>
  );
}

function tellAll(budget: Budget): string {
  return amounts.flatMap(({ key, tell }) => (budget[key] === undefined ? [] : [tell(budget[key])])).join(', ');
}

/** A model call is counted when it has ended. */
function usedWords(total: Totals): string {
  return total.modelCalls === 0 ? 'not known before the first model call has ended' : usageWords(total).join(' · ');
}

/** Of an amount that the request left alone. */
function boundWords(agent: string, most: number | undefined, tell: (amount: number) => string): string {
  return most === undefined ? 'not bounded' : `bounded by the file of ${agent}: ${tell(most)}`;
}
