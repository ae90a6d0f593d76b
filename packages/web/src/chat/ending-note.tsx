// How an answer ended, where it is not simply there: never without a word.

import type { Question } from '@ai-agent/core';
import { limitName } from '../app/limit-name.ts';
import type { Standing } from '../server/documents.ts';
import type { Answer } from './answer.ts';
import styles from './ending-note.module.css';
import { moreWords, withLimitWords } from './limit-words.ts';
import { useStanding } from './session-context.ts';

export function EndingNote({ answer }: { readonly answer: Answer }) {
  const { state } = answer;
  const standing = useStanding();
  if (state.type !== 'over') return null;
  const { status } = state;
  const failure = answer.failure && withLimitWords(answer.failure, standing);
  if (status === 'failed')
    return (
      <div className={styles.failed}>
        <p className={styles.title}>{failure?.message ?? 'It failed, and did not say why.'}</p>
        {failure?.remedy ? <p>{failure.remedy}</p> : null}
        {failure ? (
          <p className={styles.code}>
            {failure.class} · {failure.code}
          </p>
        ) : null}
      </div>
    );
  const words = wordsFor(answer, standing);
  return words === undefined ? null : <p className={styles.note}>{words}</p>;
}

function wordsFor(answer: Answer, standing: Standing | undefined): string | undefined {
  const { state, limit, failure, text, report, round, isLast, isAsking } = answer;
  const status = state.type === 'over' ? state.status : undefined;
  const isEmpty = text === '' && report === undefined;
  const ending = round?.ending;
  if (isAsking) return undefined;
  if (status === 'partial') return `${limitWords(limit)}${isLast ? moreWords(limit, standing) : ''}`;
  if (status === 'cancelled') return cancelWords(failure, isEmpty);
  if (status === 'interrupted') return interrupted;
  if (status === 'needs_client_tools') return 'Waits for the program that asked it to run some calls.';
  if (ending?.status === 'needs_user_input') return askedWords(answer, ending.question);
  if (ending?.status === 'completed' && ending.isCached) return 'An earlier answer, given again.';
  return isEmpty ? 'It ended without a word.' : undefined;
}

/** Whoever looked on has what was written too. */
const interrupted = 'The server stopped while it was at work. What it had done is kept: go on, or try again.';

/** Where nobody answered, that is said as well. */
function askedWords({ asker, failure }: Answer, { agentName, text }: Question): string {
  return [`${asker ?? agentName} asks: ${text}`, ...(failure ? [failure.message] : [])].join(' ');
}

const serverStopped = 'The server stopped before this run had ended';

/** By whoever asked, or because the server went down. */
function cancelWords(failure: Answer['failure'], isEmpty: boolean): string {
  if (isOfServer(failure)) return stoppedWords(isEmpty);
  return `Cancelled. ${isEmpty ? 'Nothing was answered.' : 'This is what was written.'}`;
}

/** Facts know the sentence alone, how it stands knows the code. */
export function isOfServer(failure: Answer['failure']): boolean {
  return failure?.code === 'server-stopping' || failure?.message.includes(serverStopped) === true;
}

function stoppedWords(isEmpty: boolean): string {
  return `${serverStopped}. ${isEmpty ? 'What it did until then is kept.' : 'This is what was written.'}`;
}

function limitWords(limit: string | undefined): string {
  if (limit === undefined) return 'Cut short by a limit. This is what was done until then.';
  if (limit === 'stop') return 'Stopped. This is what was done until then.';
  return `Cut short by its limit ${limitName(limit)}. This is what was done until then.`;
}
