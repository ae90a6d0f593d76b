// Sub-agents whose work is missing from an answer: which, and why.

import { head, type IncompleteChild, oneLine } from '@ai-agent/core';
import styles from './incomplete-note.module.css';
import { limitName } from './limit-name.ts';
import { titleWords } from './title.ts';

/** In characters, as the command line has it. */
const longestMessage = 200;

export interface IncompleteNoteProps {
  readonly incomplete: readonly IncompleteChild[];
}

/** Empty if no work is missing. */
export function IncompleteNote({ incomplete }: IncompleteNoteProps) {
  if (incomplete.length === 0) return null;
  return (
    <div className={styles.note} role="note" aria-label="Missing from this answer">
      <p>{`This answer is incomplete: ${countWords(incomplete.length)} missing.`}</p>
      <ul>
        {incomplete.map((child) => (
          <li key={`${child.path} ${child.sessionId} ${child.title}`}>
            <strong>{child.path.split(':').slice(1).join(' › ')}</strong>
            {child.title ? ` (${oneLine(titleWords(child.title))})` : ''} <Reason child={child} />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function countWords(count: number): string {
  return count === 1 ? 'the work of one agent is' : `the work of ${count} agents is`;
}

function Reason({ child }: { readonly child: IncompleteChild }) {
  const { status, failure } = child;
  if (status === 'partial') return limitWords(child);
  const verb = status === 'failed' ? 'failed' : `was ${status}`;
  if (!failure) return `${verb}.`;
  const message = oneLine(failure.message);
  return (
    <>
      {verb}: <span title={message.length > longestMessage ? message : undefined}>{head(message, longestMessage)}</span>
    </>
  );
}

function limitWords({ limit }: IncompleteChild): string {
  if (limit === 'stop') return 'was stopped.';
  return limit === undefined ? 'was cut off by a limit.' : `was cut off by its limit ${limitName(limit)}.`;
}
