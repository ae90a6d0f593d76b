// What an agent answers: what it thought, what is done for it right now, its words or its report, and how it ended.

import type { Json } from '@ai-agent/core';
import { MessagePrimitive } from '@assistant-ui/react';
import { Suspense } from 'react';
import { Boundary } from '../app/boundary.tsx';
import { IncompleteNote } from '../app/incomplete-note.tsx';
import { loadLazily } from '../app/load-lazily.ts';
import { titleWords } from '../app/title.ts';
import { CopyButton } from '../copying/copy-button.tsx';
import { JsonView } from '../forms/json-view.tsx';
import styles from './answer-message.module.css';
import { AtWork } from './at-work.tsx';
import { EndingNote } from './ending-note.tsx';
import { useStanding } from './session-context.ts';
import { Thoughts } from './thoughts.tsx';
import { useAnswer, useEntry } from './to-thread-message.ts';
import { TryAgain } from './try-again.tsx';
import { UsageLine } from './usage-line.tsx';

const Markdown = loadLazily(() => import('../markdown/markdown.tsx'));

export function AnswerMessage() {
  const answer = useAnswer();
  return (
    <div className={styles.answer}>
      <MessagePrimitive.Parts components={parts} />
      {answer ? (
        <>
          <AtWork answer={answer} />
          <EndingNote answer={answer} />
          <IncompleteNote incomplete={answer.incomplete ?? []} />
          <TryAgain answer={answer} />
        </>
      ) : null}
      <Foot />
    </div>
  );
}

/** What it took, and its words to take along as they were written. */
function Foot() {
  const entry = useEntry();
  if (entry.role === 'user' || (entry.answer && entry.answer.state.type !== 'over')) return null;
  const { text, report } = entry.answer ?? { text: entry.text, report: undefined };
  return (
    <div className={styles.foot}>
      {entry.answer ? <UsageLine answer={entry.answer} /> : null}
      {text === '' || report !== undefined ? null : (
        <CopyButton className={styles.copy} label="Copy" name="Copy the answer" toText={() => text} />
      )}
    </div>
  );
}

function Words({ text, status }: { readonly text: string; readonly status: { readonly type: string } }) {
  if (text === '') return null;
  const plain = <p className={styles.plain}>{text}</p>;
  return (
    <div className={styles.words}>
      <Boundary name="This answer" instead={plain} className={styles.broken}>
        <Suspense fallback={plain}>
          <Markdown text={text} isStreaming={status.type === 'running'} />
        </Suspense>
      </Boundary>
    </div>
  );
}

function Report({ data }: { readonly data: Json }) {
  const { agent, title } = useStanding() ?? {};
  const fileName = [agent, title && titleWords(title)].filter((part) => part !== undefined).join('-');
  return <JsonView value={data} label="Report" fileName={fileName || 'Report'} />;
}

const parts = { Text: Words, Reasoning: Thoughts, data: { by_name: { report: Report } } };
