// Asks for a key where the server wants one. It is kept in memory: whoever loads the page again is asked again.

import { type FormEvent, useEffect, useRef, useState } from 'react';
import styles from './ask-key.module.css';

export interface AskKeyProps {
  /** Why the key from before was not taken. */
  readonly problem: string | undefined;
  readonly onKey: (key: string) => void;
}

export function AskKey({ problem, onKey }: AskKeyProps) {
  const [key, setKey] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== '') onKey(key.trim());
  };
  return (
    <main className={styles.place}>
      <form className={styles.card} onSubmit={submit}>
        <h1 className={styles.title}>This server wants a key</h1>
        <p className={styles.text}>
          Whoever runs it makes one with <code>ai-agent key</code>. It stays in the memory of this page and is gone when
          you close it.
        </p>
        <label className={styles.label} htmlFor="key">
          Key
        </label>
        <input
          ref={input}
          id="key"
          className={styles.input}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={key}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : 'key-problem'}
          onChange={(event) => setKey(event.target.value)}
        />
        {problem === undefined ? null : (
          <p id="key-problem" className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <button type="submit" className={styles.submit}>
          Open
        </button>
      </form>
    </main>
  );
}
