// A model call: whom it went to, what went wrong before, what was thought, said and asked for, and what it used.

import {
  callsOf,
  type ModelReply,
  type OperationNode,
  shortCost,
  shortCount,
  type Totals,
  textOf,
} from '@ai-agent/core';
import { Problem } from '../../app/problem.tsx';
import { durationOf } from '../../app/time.ts';
import { turnOf } from '../../session/live-signs.ts';
import { countIn } from '../figures.ts';
import styles from './details.module.css';
import type { DetailsProps } from './details-props.ts';
import { TextBlock } from './text-block.tsx';
import { useFact } from './use-fact.ts';

export interface ModelDetailsProps extends DetailsProps {
  readonly call: Extract<OperationNode, { type: 'model' }>;
}

export function ModelDetails(props: ModelDetailsProps) {
  const { call, picture } = props;
  const { selfId } = call.trace;
  const end = useFact(props, { session: selfId, op: call.op, type: 'model-end' });
  const message = end?.reply?.message;
  const failed = end?.requests.filter(({ failure }) => failure) ?? [];
  const isRunning = call.status === 'running';
  const text = message
    ? textOf(message)
    : (call.output ?? (isRunning ? picture.live.textOfTurn(selfId, turnOf(call.op)) : ''));
  const thought = isRunning ? picture.live.thoughtOf(selfId) : reasoningIn(end?.reply);
  return (
    <>
      {call.failure ? <Problem failure={call.failure} /> : null}
      <dl className={styles.facts}>
        <dt>Model</dt>
        <dd>
          {call.provider}/{call.model}
          {end?.reply?.servedBy ? ` (served by ${end.reply.servedBy})` : ''}
        </dd>
        {call.total ? <Usage total={call.total} /> : null}
        {end?.reply ? (
          <>
            <dt>Ended with</dt>
            <dd>{end.reply.finishReason}</dd>
          </>
        ) : null}
      </dl>
      {failed.length > 0 ? (
        <section className={styles.block}>
          <h4 className={styles.name}>Failed requests</h4>
          <ol className={styles.list}>
            {failed.map(({ provider, model, failure, startedAt, endedAt }) => (
              <li key={`${provider}/${model} ${startedAt}`}>
                {provider}/{model} after {durationOf(endedAt - startedAt)}: {failure?.class}, {failure?.message}
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      <TextBlock name="Reasoning" text={thought} isFolded />
      <TextBlock name={isRunning ? 'Writes' : 'Said'} text={text} />
      {message
        ? callsOf(message).map(({ id, name, input }) => (
            <TextBlock key={id} name={`Called ${name}`} text={input} isCode />
          ))
        : null}
    </>
  );
}

/** Usage of all requests of the call, failed ones included. */
function Usage({ total }: { readonly total: Totals }) {
  const parts = [
    `${countIn(total.inputTokens, total)} in`,
    `${countIn(total.outputTokens, total)} out`,
    ...(total.cacheReadTokens ? [`${shortCount(total.cacheReadTokens)} from cache`] : []),
    ...(total.cacheWriteTokens ? [`${shortCount(total.cacheWriteTokens)} written to cache`] : []),
    ...(total.reasoningTokens ? [`${shortCount(total.reasoningTokens)} of thought`] : []),
    ...(total.modelCalls > 1 ? [`${total.modelCalls} requests`] : []),
  ];
  return (
    <>
      <dt>Tokens</dt>
      <dd>{parts.join(' · ')}</dd>
      <dt>Cost</dt>
      <dd>{shortCost(total, 'unknown')}</dd>
    </>
  );
}

function reasoningIn(reply: ModelReply | undefined): string {
  const parts = reply?.message.content ?? [];
  return parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n\n');
}
