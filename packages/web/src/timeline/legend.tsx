// What the shapes mean. Rows say it in words to whoever does not see them.

import styles from './legend.module.css';

export function Legend() {
  return (
    <p className={styles.legend} aria-hidden="true">
      {shapes.map(([kind, name]) => (
        <span key={kind} className={styles.entry}>
          <span className={styles.shape} data-kind={kind} />
          {name}
        </span>
      ))}
    </p>
  );
}

const shapes = [
  ['session', 'session'],
  ['model', 'model call'],
  ['tool', 'tool call'],
  ['wait', 'waiting'],
] as const;
