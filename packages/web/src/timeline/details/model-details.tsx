// A model call: whom it went to, what went wrong before, what was thought, said and asked for, and what it used.

import type { ModelReply, OperationNode } from '@ai-agent/core';
import { callsOf, textOf } from '@ai-agent/core';
import { Problem } from '../../app/problem.tsx';
import { countOf, durationOf } from '../../app/time.ts';
import { turnOf } from '../../session/live-signs.ts';
import { figuresOfCall, moneyIn } from '../figures.ts';
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
        {call.usage ? <Usage {...props} /> : null}
        {end?.reply ? (
          <>
            <dt>Ended with</dt>
            <dd>{end.reply.finishReason}</dd>
          </>
        ) : null}
      </dl>
      {end && end.attempts.length > 0 ? (
        <section className={styles.block}>
          <h4 className={styles.name}>Failed before</h4>
          <ol className={styles.list}>
            {end.attempts.map(({ provider, model, failure, startedAt, endedAt }) => (
              <li key={startedAt}>
                {provider}/{model} after {durationOf(endedAt - startedAt)}: {failure.class}, {failure.message}
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

function Usage({ call }: ModelDetailsProps) {
  const { usage = {}, costUsd } = call;
  const parts = [
    `${usage.inputTokens === undefined ? 'unknown' : countOf(usage.inputTokens)} in`,
    `${usage.outputTokens === undefined ? 'unknown' : countOf(usage.outputTokens)} out`,
    ...(usage.cacheReadTokens ? [`${countOf(usage.cacheReadTokens)} from cache`] : []),
    ...(usage.cacheWriteTokens ? [`${countOf(usage.cacheWriteTokens)} written to cache`] : []),
    ...(usage.reasoningTokens ? [`${countOf(usage.reasoningTokens)} of thought`] : []),
  ];
  const money = moneyIn(figuresOfCall(usage, costUsd));
  return (
    <>
      <dt>Tokens</dt>
      <dd>{parts.join(' · ')}</dd>
      <dt>Cost</dt>
      <dd>{money === '?' ? 'unknown' : money}</dd>
    </>
  );
}

function reasoningIn(reply: ModelReply | undefined): string {
  const parts = reply?.message.content ?? [];
  return parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n\n');
}
