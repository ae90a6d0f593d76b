// More to use for a session that is at work: what holds, what is used, and what is to hold from now on.

import { addTotals, noTotals, type Totals } from '@ai-agent/core';
import { type FormEvent, Fragment, useState } from 'react';
import { Problem } from '../app/problem.tsx';
import { usageWords } from '../app/time.ts';
import type { Api } from '../server/api.ts';
import type { Failure, Standing } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import type { SessionView } from '../session/session-view.ts';
import { type Amount, AmountInput, amounts, type Budget } from './budget-fields.tsx';
import { Dialog } from './dialog.tsx';
import styles from './raise-button.module.css';

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
  const { id, budget = {} } = standing;
  const [wanted, setWanted] = useState<Budget>(budget);
  const [failure, setFailure] = useState<Failure>();
  const raise = async (event: FormEvent) => {
    event.preventDefault();
    const refusal = refusalOf(wanted, { budget, allowed });
    if (refusal) return setFailure(refusal);
    try {
      onChanged(await api.raise(id, wanted));
      onClose();
    } catch (error) {
      setFailure(toFailure(error));
    }
  };
  const raisable = all.filter(({ key }) => isBelow(budget[key], allowed?.[key]));
  const holding = all.filter(({ key }) => budget[key] !== undefined || allowed?.[key] !== undefined);
  return (
    <Dialog title="Raise limits" onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void raise(event)}>
        <dl className={styles.facts}>
          {holding.map((amount) => (
            <Fragment key={amount.key}>
              <dt>{amount.label}</dt>
              <dd>{holdsWords(amount, budget[amount.key], allowed?.[amount.key])}</dd>
            </Fragment>
          ))}
          <dt>Used so far</dt>
          <dd>{usedWords(usedSince(view, standing))}</dd>
        </dl>
        <div className={styles.amounts}>
          {raisable.map((amount) => (
            <AmountInput key={amount.key} amount={amount} value={wanted} allowed={allowed} onChange={setWanted} />
          ))}
        </div>
        {failure ? <Problem failure={failure} /> : null}
        <p className={styles.note}>
          {holding.length === 0 ? 'Nothing is limited. ' : ''}
          Only what was set for this conversation can be raised, and not above what the file of the agent allows.
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

/** All six: those that people seldom set themselves may be in the file. */
const all: readonly Amount[] = [
  ...amounts,
  count('turns', 'Model calls'),
  count('toolCalls', 'Tool calls'),
  count('descendants', 'Agents below'),
];

function count(key: string, label: string): Amount {
  const tell = (amount: number) => amount.toLocaleString('en-US');
  return { key, label, unit: '', factor: 1, show: tell, tell };
}

/** Limits hold for each message anew; rounds that go on from an answer have what the message left. */
function usedSince(view: SessionView, { rounds: count }: Standing): Totals {
  const { rounds } = view.picture();
  // The next one waits for its turn.
  if ((rounds.at(-1)?.number ?? 0) < count) return noTotals;
  const first = rounds.findLastIndex(({ asked }) => asked !== undefined);
  return rounds.slice(Math.max(0, first)).reduce((sum, { id }) => addTotals(sum, view.ledger(id).total), noTotals);
}

/** A model call is counted when it has ended. */
function usedWords(total: Totals): string {
  return total.modelCalls === 0 ? 'not known before the first model call has ended' : usageWords(total).join(' · ');
}

/** Of one that was set for this conversation, whether its file leaves room above it. */
function isBelow(amount: number | undefined, most = Number.POSITIVE_INFINITY): boolean {
  return amount !== undefined && amount < most;
}

function holdsWords({ tell }: Amount, own: number | undefined, most: number | undefined): string {
  if (own === undefined || (most !== undefined && most <= own)) return `${tell(most ?? 0)}, set by the agent’s file`;
  const room = most === undefined ? '' : `; the agent’s file allows ${tell(most)}`;
  return `${tell(own)}, set for this conversation${room}`;
}

interface Bounds {
  readonly budget: Budget;
  readonly allowed: Budget | undefined;
}

/** In the unit of the field; the rest is for the server to judge. */
function refusalOf(wanted: Budget, { budget, allowed = {} }: Bounds): Failure | undefined {
  for (const amount of all) {
    const { key, label } = amount;
    const [value, now = 0, most = Number.POSITIVE_INFINITY] = [wanted[key], budget[key], allowed[key]];
    if (value === undefined || value === now) continue;
    if (value < now) return refused(`${label}: it is ${inUnit(amount, now)} now, and can only be raised.`);
    if (value > most) return refused(`${label}: the file of the agent allows ${inUnit(amount, most)} at most.`);
  }
  return undefined;
}

/** As it is typed. */
function inUnit({ factor, unit, tell }: Amount, amount: number): string {
  return factor === 1 ? tell(amount) : `${(amount / factor).toLocaleString('en-US')} ${unit}`;
}

function refused(message: string): Failure {
  return { class: 'usage', code: 'request-invalid', message };
}
