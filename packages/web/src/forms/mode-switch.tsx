// One thing, shown in one of a few ways.

import { useId } from 'react';
import styles from './mode-switch.module.css';

export interface ModeSwitchProps<Mode extends string> {
  readonly label: string;
  readonly modes: readonly Mode[];
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
}

export function ModeSwitch<Mode extends string>({ label, modes, mode, onMode }: ModeSwitchProps<Mode>) {
  const name = useId();
  return (
    <div className={styles.modes} role="radiogroup" aria-label={label}>
      {modes.map((one) => (
        <label key={one} className={styles.mode}>
          <input type="radio" className="unseen" name={name} checked={one === mode} onChange={() => onMode(one)} />
          {one}
        </label>
      ))}
    </div>
  );
}
