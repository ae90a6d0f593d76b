// Where the money went, at a glance: all of it in a line, and by agent.

import { type Ledger, shortCost, shortCount } from '@ai-agent/core';
import { durationOf } from '../app/time.ts';
import type { Round } from '../session/round.ts';
import { countIn, notYet } from './figures.ts';
import { toShares } from './shares.ts';
import styles from './totals-chart.module.css';
import type { Snapshot } from './use-snapshot.ts';

export interface TotalsChartProps {
  readonly ledger: Ledger;
  readonly underWay: Snapshot['underWay'];
  readonly rounds: readonly Round[];
  readonly now: number;
  readonly isAtWork: boolean;
  /** Whether only the line is shown. */
  readonly isShort: boolean;
}

export function TotalsChart({ ledger, underWay, rounds, now, isAtWork, isShort }: TotalsChartProps) {
  const { total, byName } = ledger;
  const shares = toShares(byName);
  // What the first call uses is not known before it has ended.
  const isOpen = isAtWork && total.modelCalls === 0;
  return (
    <div className={styles.totals}>
      <dl className={styles.figures} aria-label="Totals">
        <Figure name="Cost" value={isOpen ? notYet : shortCost(total)} isFirst />
        <Figure name="Time" value={durationOf(wallTimeOf(rounds, isAtWork ? now : undefined))} isFirst />
        <Figure name="Tokens in" value={isOpen ? notYet : countIn(total.inputTokens, total)} />
        <Figure name="out" value={isOpen ? notYet : countIn(total.outputTokens, total)} />
        {total.inputTokens > 0 ? (
          <Figure name="cached" value={`${Math.round((100 * total.cacheReadTokens) / total.inputTokens)}%`} />
        ) : null}
        <Figure name="Model calls" value={shortCount(total.modelCalls + underWay.modelCalls)} />
        <Figure name="Tool calls" value={shortCount(total.toolCalls + underWay.toolCalls)} />
      </dl>
      {total.unknownCostCalls > 0 && total.costUsd > 0 ? (
        <p className={styles.unknown}>+ {requestsOf(total.unknownCostCalls)} of unknown cost</p>
      ) : null}
      {shares.length > 1 && !isShort ? (
        <ul className={styles.chart} aria-label={total.costUsd > 0 ? 'Cost by agent' : 'Tokens by agent'}>
          {shares.map(({ name, share, amount }) => (
            <li key={name} className={styles.line}>
              <span className={styles.name}>{name}</span>
              <span className={styles.track}>
                <span className={styles.bar} style={{ width: `${share * 100}%` }} />
              </span>
              <span className={styles.amount}>{amount}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function Figure({ name, value, isFirst }: { readonly name: string; readonly value: string; readonly isFirst?: true }) {
  return (
    <div className={styles.figure} data-first={isFirst}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function requestsOf(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`;
}

/** What lies between two rounds is nobody's. */
function wallTimeOf(rounds: readonly Round[], now: number | undefined): number {
  const last = rounds.at(-1);
  return rounds.reduce((sum, round) => {
    const endedAt = round.endedAt ?? (round === last ? (now ?? round.lastAt) : round.lastAt);
    return sum + Math.max(0, endedAt - round.startedAt);
  }, 0);
}
