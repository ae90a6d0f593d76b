// Behind an answer that did not come to its end: the same is asked once more, in a new session.

import { useContext, useState } from 'react';
import { Problem } from '../app/problem.tsx';
import { goFrom } from '../app/route.ts';
import type { Failure } from '../server/documents.ts';
import { toFailure } from '../server/to-failure.ts';
import type { Answer } from './answer.ts';
import { SessionContext } from './session-context.ts';
import styles from './try-again.module.css';

export function TryAgain({ answer }: { readonly answer: Answer }) {
  const { api, view, limits } = useContext(SessionContext) ?? {};
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { state, round, isLast, isAsking, incomplete = [] } = answer;
  const isShort = state.type === 'over' && (shortOf.has(state.status) || incomplete.length > 0);
  if (!api || !view || !round?.isRepeatable || !isLast || !isShort || isAsking) return null;
  const retry = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const { id } = await api.start({
        retry: { session: view.id, round: round.number },
        ...(limits ? { budget: limits } : {}),
      });
      goFrom(view.id, { session: id });
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" className={styles.again} aria-disabled={isBusy} onClick={() => void retry()}>
        Try again
      </button>
      {failure ? <Problem failure={failure} /> : null}
    </>
  );
}

const shortOf: ReadonlySet<string> = new Set(['failed', 'cancelled', 'partial', 'interrupted']);
