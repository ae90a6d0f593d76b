// Whom to ask: by name and by what they are for. One choice of a group, as a browser knows it: arrow keys go through it.

import { useRef } from 'react';
import type { AgentEntry } from '../server/documents.ts';
import styles from './agent-picker.module.css';

export interface AgentPickerProps {
  readonly agents: readonly AgentEntry[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
  /** By a click or by Enter: whoever goes through them with arrow keys is not done yet. */
  readonly onDecide: () => void;
}

export function AgentPicker({ agents, chosen, onChoose, onDecide }: AgentPickerProps) {
  // Arrow keys make clicks too.
  const isPointer = useRef(false);
  return (
    <fieldset
      className={styles.picker}
      onPointerDown={() => {
        isPointer.current = true;
      }}
      onKeyDown={() => {
        isPointer.current = false;
      }}
    >
      <legend className={styles.legend}>Whom do you want to ask?</legend>
      <div className={styles.list}>
        {agents.map(({ name, description, usedBy = [] }) => (
          <label key={name} className={styles.agent}>
            <input
              type="radio"
              name="agent"
              className={styles.radio}
              value={name}
              checked={name === chosen}
              onChange={() => onChoose(name)}
              // Behind the click the browser itself gives the focus to what was clicked.
              onClick={() => isPointer.current && setTimeout(onDecide)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // It would be typed where the focus goes.
                event.preventDefault();
                onDecide();
              }}
            />
            <span className={styles.name}>
              {name}
              {usedBy.length === 0 ? null : <span className={styles.used}> used by {usedBy.join(', ')}</span>}
            </span>
            <span className={styles.description}>{description}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
