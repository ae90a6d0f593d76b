// The FIN summary of a session: who called which model and which tool, how often, for how much and how long.

import { type FinLine, finSummaryOf, type Ledger, shortCost, shortCount } from '@ai-agent/core';
import { durationOf } from '../../app/time.ts';
import { countIn } from '../figures.ts';
import styles from './details.module.css';

const mostShown = 100;

export function FinTable({ ledger }: { readonly ledger: Ledger }) {
  const { models, tools } = finSummaryOf(ledger);
  const lines = [
    ...models.map((line) => ({ line, used: tokensOf(line), cost: shortCost(line, 'unknown') })),
    ...tools.map((line) => ({
      line,
      used: `${shortCount(line.bytesIn)} B in, ${shortCount(line.bytesOut)} B out`,
      cost: '',
    })),
  ];
  if (lines.length === 0) return null;
  return (
    <details className={styles.fold}>
      <summary>Summary by agent, model and tool</summary>
      <table className={styles.table} data-wide>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Model or tool</th>
            <th scope="col">Calls</th>
            <th scope="col">Used</th>
            <th scope="col">Cost</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, mostShown).map(({ line, used, cost }) => (
            <tr key={`${line.callPath} ${line.partner ?? ''} ${line.subject}`}>
              <th scope="row">{line.callPath.replaceAll(':', ' › ')}</th>
              <td>{line.subject}</td>
              <td>{callsOf(line)}</td>
              <td>{used}</td>
              <td>{cost}</td>
              <td>{durationOf(line.latencyMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > mostShown ? <p className={styles.hint}>and {lines.length - mostShown} more</p> : null}
    </details>
  );
}

function tokensOf(line: FinLine): string {
  const { inputTokens, outputTokens, unknownUsageCalls } = line;
  if (unknownUsageCalls > 0 && inputTokens + outputTokens === 0) return '?';
  return `${countIn(inputTokens, line)} in, ${countIn(outputTokens, line)} out`;
}

function callsOf({ calls, failed, stopped }: FinLine): string {
  const notes = [
    ...(failed > stopped ? [`${failed - stopped} failed`] : []),
    ...(stopped > 0 ? [`${stopped} stopped`] : []),
  ];
  return notes.length === 0 ? String(calls) : `${calls} (${notes.join(', ')})`;
}
