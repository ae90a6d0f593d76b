// What an agent does meanwhile, in the words that its models gave for it; folded once there is an answer.

import type { Step } from './reply.ts';

export interface StepsProps {
  readonly steps: readonly Step[];
  /** While they go on. */
  readonly isOpen: boolean;
}

export function Steps({ steps, isOpen }: StepsProps) {
  const list = (
    <ul className="steps">
      {steps.map(({ call, title, state }) => (
        <li key={call} data-state={state}>
          {title}
          {state === 'failed' ? <span className="fault"> failed</span> : null}
          {state === 'done' && isOpen ? <span className="unseen"> done</span> : null}
        </li>
      ))}
    </ul>
  );
  if (isOpen) return list;
  return (
    <details className="done">
      <summary>{steps.length === 1 ? '1 step' : `${steps.length} steps`}</summary>
      {list}
    </details>
  );
}
