// A turn: what was in it, and what it came to.

import { shortCost } from '@ai-agent/core';
import { cacheShareIn, tokensIn } from '../figures.ts';
import styles from './details.module.css';
import type { DetailsProps } from './details-props.ts';

export function TurnDetails({ row }: DetailsProps) {
  const { node, figures } = row;
  const tools = node.turn?.operations.filter(({ type }) => type === 'tool').length ?? 0;
  return (
    <dl className={styles.facts}>
      <dt>Tool calls</dt>
      <dd>{tools}</dd>
      {node.turn?.limit ? (
        <>
          <dt>Limit</dt>
          <dd>{node.turn.limit}: the last turn</dd>
        </>
      ) : null}
      {figures ? (
        <>
          <dt>Tokens</dt>
          <dd>
            {tokensIn(figures)} with all below{cacheShareIn(figures) ? `, ${cacheShareIn(figures)} from cache` : ''}
          </dd>
          <dt>Cost</dt>
          <dd>{shortCost(figures, 'unknown')}</dd>
        </>
      ) : null}
    </dl>
  );
}
