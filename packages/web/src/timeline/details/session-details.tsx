// A session: who worked, what it was asked, what it answered, what it used, and what was told of it.

import { incompleteIn, type Message, type SessionNode } from '@ai-agent/core';
import { IncompleteNote } from '../../app/incomplete-note.tsx';
import { Problem } from '../../app/problem.tsx';
import styles from './details.module.css';
import type { DetailsProps } from './details-props.ts';
import { FinTable } from './fin-table.tsx';
import { LogList } from './log-list.tsx';
import { TextBlock } from './text-block.tsx';
import { UsageTable } from './usage-table.tsx';
import { useFact } from './use-fact.ts';

export interface SessionDetailsProps extends DetailsProps {
  readonly session: SessionNode;
}

export function SessionDetails(props: SessionDetailsProps) {
  const { session, row, view, picture } = props;
  const { selfId, callPath, toolName } = session.trace;
  const start = useFact(props, { session: selfId, op: 'open', type: 'session-start' });
  const end = useFact(props, { session: selfId, op: 'end', type: 'session-end' });
  const ledger = view.ledger(selfId);
  const isInterrupted = row.standing.status === 'interrupted';
  const place = ledger.bySession[selfId]?.callPath ?? callPath;
  const asked = start ? promptIn(start.messages) : session.input;
  const answered = end?.ending.text ?? session.output ?? picture.live.textOf(selfId);
  return (
    <>
      {session.failure ? <Problem failure={session.failure} /> : null}
      {session.limit === undefined ? null : (
        <p className={styles.ending}>
          {session.limit === 'stop' ? (
            'It was stopped, and gave what it had.'
          ) : (
            <>
              The limit <code>{session.limit}</code> cut it short; what it had by then is its answer.
            </>
          )}
        </p>
      )}
      {session.status === 'completed' || session.status === 'partial' || isInterrupted ? (
        <IncompleteNote incomplete={incompleteIn(session, { isInterrupted })} />
      ) : null}
      <TextBlock name="Asked" text={asked} />
      <TextBlock name={session.status === 'running' ? 'Writes' : 'Answered'} text={answered} />
      <dl className={styles.facts}>
        <dt>Agent</dt>
        <dd>{place.replaceAll(':', ' › ')}</dd>
        <dt>Model</dt>
        <dd>{modelsOf(session).join(', ') || 'none was asked'}</dd>
        {toolName === null ? null : (
          <>
            <dt>Called as</dt>
            <dd>{toolName}</dd>
          </>
        )}
        <dt>Session</dt>
        <dd className={styles.mono}>{selfId}</dd>
        {session.isCached ? (
          <>
            <dt>Cached</dt>
            <dd>An earlier answer was given again; nobody was asked.</dd>
          </>
        ) : null}
      </dl>
      <UsageTable totals={ledger.bySession[selfId]} isRunning={row.standing.status === 'running'} />
      <FinTable ledger={ledger} />
      <TextBlock name="System prompt" text={start?.system ?? ''} isFolded />
      <LogList log={row.round.logOf(selfId)} startedAt={row.round.startedAt} />
    </>
  );
}

function promptIn(messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (last?.role !== 'user') return '';
  return last.content.map((part) => (part.type === 'text' ? part.text : `[${part.name ?? part.mediaType}]`)).join('\n');
}

function modelsOf({ turns }: SessionNode): readonly string[] {
  const calls = turns.flatMap(({ operations }) => operations.filter((operation) => operation.type === 'model'));
  return [...new Set(calls.map(({ provider, model }) => `${provider}/${model}`))];
}
