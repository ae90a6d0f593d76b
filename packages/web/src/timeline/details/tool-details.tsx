// A tool call: with what it was called, what came of it, and how large that was.

import { type OperationNode, shortCount } from '@ai-agent/core';
import { Problem } from '../../app/problem.tsx';
import styles from './details.module.css';
import type { DetailsProps } from './details-props.ts';
import { TextBlock } from './text-block.tsx';
import { useFact } from './use-fact.ts';

export interface ToolDetailsProps extends DetailsProps {
  readonly call: OperationNode;
}

export function ToolDetails(props: ToolDetailsProps) {
  const { call, row } = props;
  const { selfId, toolName } = call.trace;
  const start = useFact(props, { session: selfId, op: call.op, type: 'tool-start' });
  const end = useFact(props, { session: selfId, op: call.op, type: 'tool-end' });
  const head = call.type === 'tool' ? call.input : '';
  const result = end?.result;
  return (
    <>
      {call.failure ? <Problem failure={call.failure} /> : null}
      {row.note ? <p className={styles.hint}>{row.note}</p> : null}
      <TextBlock name="Arguments" text={start?.call.input ?? head} isCode />
      <TextBlock name="Result" text={result?.text ?? call.output ?? ''} />
      <dl className={styles.facts}>
        <dt>Tool</dt>
        <dd>{[start?.namespace, toolName].filter(Boolean).join(' › ')}</dd>
        {end ? (
          <>
            <dt>Size</dt>
            <dd>
              {shortCount(end.bytesIn)} B in · {shortCount(end.bytesOut)} B out
            </dd>
          </>
        ) : null}
        {result?.summary ? (
          <>
            <dt>In a line</dt>
            <dd>{result.summary}</dd>
          </>
        ) : null}
        {result?.kept ? (
          <>
            <dt>Kept aside</dt>
            <dd>{shortCount(result.kept.bytes)} B: the model has read the head of it</dd>
          </>
        ) : null}
        {result?.isCached ? (
          <>
            <dt>Cached</dt>
            <dd>An earlier result was given again; nothing was done.</dd>
          </>
        ) : null}
      </dl>
    </>
  );
}
