// Above the tree: what keeps it from being there or from being up to date, and who waits for an answer.

import { Problem } from '../app/problem.tsx';
import type { Failure } from '../server/documents.ts';
import type { Picture } from '../session/session-view.ts';
import styles from './panel-notice.module.css';

export interface PanelNoticeProps {
  readonly picture: Picture;
  /** Why something that was asked for was not done. */
  readonly refusal: Failure | undefined;
  readonly isEmpty: boolean;
  readonly onShowAsking: (() => void) | undefined;
}

export function PanelNotice({ picture, refusal, isEmpty, onShowAsking }: PanelNoticeProps) {
  const { failure = refusal, connection, standing } = picture;
  if (failure)
    return (
      <div className={styles.place}>
        <Problem failure={failure} />
      </div>
    );
  return (
    <>
      <div role="status">
        {connection === 'lost' ? (
          <p className={styles.warning}>The server does not answer. What it knew last is below; trying again.</p>
        ) : null}
        {isEmpty ? <p className={styles.empty}>{emptyWords(picture)}</p> : null}
      </div>
      {onShowAsking && standing?.question ? (
        <p className={styles.asking}>
          <span>
            <strong>{standing.question.agentName}</strong>{' '}
            {standing.question.type === 'approval' ? 'asks for your leave.' : 'asks you something.'}
          </span>
          <button type="button" className={styles.show} onClick={onShowAsking}>
            Answer
          </button>
        </p>
      ) : null}
    </>
  );
}

function emptyWords({ standing, connection }: Picture): string {
  if (standing?.status === 'queued') return 'It waits for its place. What it does is drawn here as soon as it begins.';
  if (connection === 'connecting' || standing === undefined) return 'Loading…';
  if (standing.status === 'running') return 'It begins.';
  return standing.failure?.message ?? 'Nothing was done in this session.';
}
