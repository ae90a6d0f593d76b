// One row: what it is, when it waited and worked, and what it used.

import { shortCost } from '@ai-agent/core';
import { memo } from 'react';
import { InstanceName } from '../app/instance-name.tsx';
import { durationOf } from '../app/time.ts';
import { Axis } from './axis.tsx';
import { cacheShareIn, figuresInWords, notYet, tokensIn } from './figures.ts';
import { inWords } from './row-status.ts';
import styles from './row-view.module.css';
import type { Row } from './rows.ts';
import type { Scale } from './scale.ts';
import { Track } from './track.tsx';
import { stoppableIn } from './use-stopping.ts';

export interface RowViewProps {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly scale: Scale;
  readonly now: number;
  /** Keys go from here. */
  readonly isActive: boolean;
  /** Its details are open. */
  readonly isSelected: boolean;
  /** It waits for an answer of whoever looks on. */
  readonly isAsking: boolean;
  /** It was told to stop. */
  readonly isStopping: boolean;
  readonly onStop: (session: string) => void;
  readonly onSelect: (id: string, isByKey: boolean) => void;
  readonly onTurn: (id: string, isOpen: boolean) => void;
}

export const RowView = memo(function RowView(props: RowViewProps) {
  const { row, index, top, height, scale, now, isActive, isSelected, isAsking, onSelect, onTurn } = props;
  const child = stoppableIn(row);
  const { kind, figures, level, position, siblings, isOpen } = row;
  const open = isFigureOpen(row) ? notYet : '';
  return (
    <tr
      className={styles.row}
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={index + 2}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      aria-label={toSentence(row, now, isAsking)}
      data-kind={kind}
      data-status={isAsking ? 'asking' : row.standing.status}
      style={{ height, transform: `translateY(${top}px)` }}
      onClick={() => onSelect(row.id, false)}
    >
      <td className={styles.what} style={{ paddingInlineStart: `${indentOf(level)}rem` }}>
        {isOpen === undefined ? (
          <span className={styles.leaf} />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do it in the tree
          // biome-ignore lint/a11y/useKeyWithClickEvents: the same
          <span
            className={styles.turn}
            data-open={isOpen}
            onClick={(event) => {
              event.stopPropagation();
              onTurn(row.id, !isOpen);
            }}
          />
        )}
        <span className={styles.sign} />
        <Label row={row} />
        <span className={row.note ? styles.note : styles.title}>{row.note ?? row.title}</span>
        <Mark row={row} isAsking={isAsking} />
        {child === undefined ? null : <StopButton {...props} child={child} />}
      </td>
      <td className={styles.when}>
        {kind === 'round' ? <Axis scale={scale} /> : <Track row={row} scale={scale} now={now} />}
      </td>
      <td className={styles.figure}>{timeOf(row, now)}</td>
      <td className={`${styles.figure} ${styles.lesser}`}>{figures ? tokensIn(figures) : open}</td>
      <td className={styles.figure}>{figures ? shortCost(figures, 'unknown') : open}</td>
      <td className={`${styles.figure} ${styles.lesser}`}>{figures ? cacheShareIn(figures) : ''}</td>
    </tr>
  );
});

/** Where there is little room a model goes without its provider. */
function Label({ row: { kind, label, node } }: { readonly row: Row }) {
  if (kind !== 'model') return <InstanceName name={label} className={styles.label} />;
  const provider = node.operation?.type === 'model' ? `${node.operation.provider}/` : '';
  const at = provider === '' ? -1 : label.indexOf(provider);
  return (
    <span className={`${styles.label} ${styles.call}`} title={label}>
      {label.slice(0, Math.max(0, at))}
      {at < 0 ? null : <span className={styles.provider}>{provider}</span>}
      {label.slice(at < 0 ? 0 : at + provider.length)}
    </span>
  );
}

/** What is not known yet is not nothing. */
function isFigureOpen({ kind, figures, standing }: Row): boolean {
  return !figures && kind !== 'tool' && standing.status === 'running';
}

/** Only what is not as it should be, or not over. */
function Mark({ row, isAsking }: { readonly row: Row; readonly isAsking: boolean }) {
  const { status } = row.standing;
  if (status === 'ok' && !isAsking) return null;
  if (status === 'running' && !isAsking) return <span className="pulse" />;
  const words = isAsking ? 'asks you' : inWords(row.standing);
  return (
    <span className={styles.mark} role="img" aria-label={words} title={words}>
      <span className={styles.words}>{words}</span>
    </span>
  );
}

/** Of the row that keys go from, Tab comes to it. */
function StopButton({ row, child, isActive, isStopping, onStop }: RowViewProps & { readonly child: string }) {
  return (
    <button
      type="button"
      className={styles.stop}
      tabIndex={isActive ? 0 : -1}
      aria-label={`${isStopping ? 'Stopping' : 'Stop'} ${row.label}`}
      aria-disabled={isStopping}
      onClick={(event) => {
        event.stopPropagation();
        if (!isStopping) onStop(child);
      }}
    >
      {isStopping ? 'Stopping' : 'Stop'}
    </button>
  );
}

/** Deep trees move less and less to the right: their names are to be read. */
function indentOf(level: number): number {
  const steps = level - 1;
  return 0.35 + Math.min(steps, 6) * 0.85 + Math.max(0, steps - 6) * 0.25;
}

function timeOf({ startedAt, endedAt }: Row, now: number): string {
  if (startedAt === undefined) return '';
  return durationOf((endedAt ?? now) - startedAt);
}

const kindWords = { round: 'round', session: 'session', turn: 'turn', model: 'model call', tool: 'tool call' };

function toSentence(row: Row, now: number, isAsking: boolean): string {
  const waitedMs = (row.startedAt ?? row.endedAt ?? now) - row.requestedAt;
  const parts = [
    row.label,
    row.note ?? row.title,
    kindWords[row.kind],
    isAsking ? 'asks you' : inWords(row.standing),
    timeOf(row, now),
    waitedMs >= 100 ? `waited ${durationOf(waitedMs)}` : '',
    ...figuresInWords(row.figures),
    isFigureOpen(row) ? 'cost not known yet' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
