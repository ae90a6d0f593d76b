// More to use for a session that is at work: what holds, what is used, and what is to hold from now on.

import { type FormEvent, useState } from 'react';
import { Problem } from '../app/problem.tsx';
import type { Api } from '../server/api.ts';
import type { Failure, Standing } from '../server/documents.ts';
import type { SessionView } from '../session/session-view.ts';
import { AmountInputs, amounts, type Budget } from './budget-fields.tsx';
import { Dialog } from './dialog.tsx';
import styles from './raise-button.module.css';
import { toFailure } from './to-failure.ts';
import { usageWords } from './usage-line.tsx';

export interface RaiseButtonProps {
  readonly api: Api;
  readonly view: SessionView;
  readonly standing: Standing;
  readonly onChanged: (standing: Standing) => void;
}

export function RaiseButton(props: RaiseButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Raise budget
      </button>
      {isOpen ? <Raise {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Raise({ api, view, standing, onChanged, onClose }: RaiseButtonProps & { readonly onClose: () => void }) {
  const { id, budget = {} } = standing;
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
  const holds = amounts.flatMap(({ key, show }) => (budget[key] === undefined ? [] : [show(budget[key])]));
  return (
    <Dialog title="Raise the budget" onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void raise(event)}>
        <dl className={styles.facts}>
          <dt>Holds now</dt>
          <dd>{holds.length === 0 ? 'what the file of the agent allows' : holds.join(', ')}</dd>
          <dt>Used so far</dt>
          <dd>{usageWords(view.ledger().total).join(' · ')}</dd>
        </dl>
        <div className={styles.amounts}>
          <AmountInputs value={wanted} onChange={setWanted} />
        </div>
        {failure ? <Problem failure={failure} /> : null}
        <p className={styles.note}>A budget is never lowered, nor raised above what the file of the agent allows.</p>
        <button type="submit" className={styles.submit}>
          Raise
        </button>
      </form>
    </Dialog>
  );
}
