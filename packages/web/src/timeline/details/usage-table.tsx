// What a session used by itself, and with everything below it.

import type { SessionTotals, Totals } from '@ai-agent/core';
import { countOf, durationOf } from '../../app/time.ts';
import { cacheShareIn, moneyIn, tokensIn } from '../figures.ts';
import styles from './details.module.css';

export function UsageTable({ totals }: { readonly totals: SessionTotals | undefined }) {
  if (!totals) return null;
  const { own, subtree } = totals;
  const hasBelow = subtree.modelCalls + subtree.toolCalls > own.modelCalls + own.toolCalls;
  return (
    <table className={styles.table}>
      <caption className={styles.name}>Used</caption>
      <thead>
        <tr>
          <td />
          {columns.map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Line name="By itself" totals={own} />
        {hasBelow ? <Line name="With all below" totals={subtree} /> : null}
      </tbody>
    </table>
  );
}

const columns: readonly (readonly [string, (totals: Totals) => string])[] = [
  ['Model calls', ({ modelCalls }) => countOf(modelCalls)],
  ['Tool calls', ({ toolCalls }) => countOf(toolCalls)],
  ['Tokens', tokensIn],
  ['Cached', (totals) => cacheShareIn(totals) ?? ''],
  ['Cost', moneyIn],
  ['In models', ({ modelMs }) => durationOf(modelMs)],
];

function Line({ name, totals }: { readonly name: string; readonly totals: Totals }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {columns.map(([column, toText]) => (
        <td key={column}>{toText(totals)}</td>
      ))}
    </tr>
  );
}
