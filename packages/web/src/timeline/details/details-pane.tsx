// All that is known of one row, and what can be done about it.

import { useEffect, useRef } from 'react';
import { durationOf } from '../../app/time.ts';
import { CloseButton } from '../close-button.tsx';
import { inWords } from '../row-status.ts';
import type { Row } from '../rows.ts';
import { Controls } from './controls.tsx';
import styles from './details.module.css';
import type { DetailsProps } from './details-props.ts';
import { ModelDetails } from './model-details.tsx';
import { SessionDetails } from './session-details.tsx';
import { ToolDetails } from './tool-details.tsx';
import { TurnDetails } from './turn-details.tsx';

export interface DetailsPaneProps extends DetailsProps {
  readonly wantsFocus: boolean;
  readonly onFocused: () => void;
  readonly onClose: () => void;
}

export function DetailsPane(props: DetailsPaneProps) {
  const { row, now, wantsFocus, onFocused, onClose } = props;
  const place = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes there when that is asked for, and not again
  useEffect(() => {
    if (!wantsFocus) return;
    place.current?.focus();
    onFocused();
  }, [wantsFocus]);
  return (
    <section ref={place} className={styles.pane} aria-label={`Details of ${row.label}`} tabIndex={-1}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h3 className={styles.title}>{row.label}</h3>
          {hasTitle(row) ? <p className={styles.subtitle}>{row.title}</p> : null}
          <p className={styles.state} data-status={row.standing.status}>
            {stateOf(row, now)}
          </p>
        </div>
        <CloseButton what="the details" onClose={onClose} />
      </header>
      <Controls {...props} />
      <Body {...props} />
    </section>
  );
}

function Body(props: DetailsPaneProps) {
  const { session, operation } = props.row.node;
  const { kind } = props.row;
  if (kind === 'turn') return <TurnDetails {...props} />;
  if (session) return <SessionDetails {...props} session={session} />;
  if (operation?.type === 'model') return <ModelDetails {...props} call={operation} />;
  return operation ? <ToolDetails {...props} call={operation} /> : null;
}

/** What stands in its place in the row is told as a whole below. */
function hasTitle({ kind, title, node }: Row): boolean {
  if (kind === 'tool') return node.operation?.type === 'tool' && node.operation.title !== null;
  return title !== '' && kind !== 'model';
}

function stateOf(row: Row, now: number): string {
  const { standing, requestedAt, startedAt, endedAt, round } = row;
  const waitedMs = (startedAt ?? endedAt ?? now) - requestedAt;
  const parts = [
    inWords(standing),
    startedAt === undefined ? '' : `${durationOf((endedAt ?? now) - startedAt)} of work`,
    waitedMs >= 50 ? `waited ${durationOf(waitedMs)}` : '',
    `began at ${durationOf((startedAt ?? requestedAt) - round.startedAt)}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}
