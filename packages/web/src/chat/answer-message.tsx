// What an agent answers: what it thought, what is done for it right now, its words or its report, and how it ended.

import type { Json } from '@ai-agent/core';
import { MessagePrimitive } from '@assistant-ui/react';
import { Suspense } from 'react';
import { Boundary } from '../app/boundary.tsx';
import { loadLazily } from '../app/load-lazily.ts';
import { JsonView } from '../forms/json-view.tsx';
import styles from './answer-message.module.css';
import { AtWork } from './at-work.tsx';
import { EndingNote } from './ending-note.tsx';
import { Thoughts } from './thoughts.tsx';
import { useAnswer } from './to-thread-message.ts';
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
          <TryAgain answer={answer} />
          <UsageLine answer={answer} />
        </>
      ) : null}
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
  return <JsonView value={data} label="Report" />;
}

const parts = { Text: Words, Reasoning: Thoughts, data: { by_name: { report: Report } } };
