// What an agent thought and said on the way to its answer, folded away.

import { Fragment } from 'react';
import styles from './thoughts.module.css';
import { useAnswer } from './to-thread-message.ts';

export function Thoughts() {
  const answer = useAnswer();
  if (!answer || answer.steps.length === 0) return null;
  return (
    <details className={styles.thoughts}>
      <summary className={styles.summary}>{titleOf(answer)}</summary>
      <div className={styles.text}>
        {answer.steps.map(({ turn, reasoning, text }) => (
          <Fragment key={turn}>
            {reasoning === '' ? null : <p className={styles.thought}>{reasoning}</p>}
            {text === '' ? null : <p className={styles.said}>{text}</p>}
          </Fragment>
        ))}
      </div>
    </details>
  );
}

type Thought = Pick<NonNullable<ReturnType<typeof useAnswer>>, 'steps' | 'isThinking'>;

function titleOf({ steps, isThinking }: Thought): string {
  if (isThinking) return 'Thinking';
  return steps.some(({ reasoning }) => reasoning !== '') ? 'Thoughts' : 'On the way';
}
