// What a session used by itself, and with everything below it.

import { type SessionTotals, shortCost, shortCount, type Totals } from '@ai-agent/core';
import { durationOf } from '../../app/time.ts';
import { cacheShareIn, countIn, notYet } from '../figures.ts';
import styles from './details.module.css';

export interface UsageTableProps {
  readonly totals: SessionTotals | undefined;
  readonly isRunning: boolean;
}

export function UsageTable({ totals, isRunning }: UsageTableProps) {
  if (!totals) return null;
  const { own, subtree } = totals;
  const hasBelow = subtree.modelCalls + subtree.toolCalls > own.modelCalls + own.toolCalls;
  const isOpen = ({ modelCalls }: Totals) => isRunning && modelCalls === 0;
  const columns = hasBelow ? [own, subtree] : [own];
  return (
    <table className={styles.table}>
      <caption className={styles.name}>Used</caption>
      {hasBelow ? (
        <thead>
          <tr>
            <td />
            <th scope="col">By itself</th>
            <th scope="col">With all below</th>
          </tr>
        </thead>
      ) : null}
      <tbody>
        {figures.map(([name, toText]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map((totals) => (
              <td key={totals === own ? 'own' : 'subtree'}>
                {name !== 'Tool calls' && isOpen(totals) ? notYet : toText(totals)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const figures: readonly (readonly [string, (totals: Totals) => string])[] = [
  ['Model calls', ({ modelCalls }) => shortCount(modelCalls)],
  ['Tool calls', ({ toolCalls }) => shortCount(toolCalls)],
  ['Tokens in', (totals) => countIn(totals.inputTokens, totals)],
  ['Tokens out', (totals) => countIn(totals.outputTokens, totals)],
  ['From cache', (totals) => cacheShareIn(totals) ?? ''],
  ['Cost', (totals) => shortCost(totals, 'unknown')],
  ['Time in models', ({ modelMs }) => durationOf(modelMs)],
];
