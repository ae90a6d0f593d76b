// A text under its name: a long one shows its head first, and JSON is set out so that it can be read.

import { useState } from 'react';
import styles from './details.module.css';

export interface TextBlockProps {
  readonly name: string;
  readonly text: string;
  /** Whether it is for programs. @default when it is JSON */
  readonly isCode?: boolean;
  /** Whether only its name is shown at first. */
  readonly isFolded?: boolean;
}

/** In characters, and in lines. */
const shownAtFirst = 1_600;
const linesAtFirst = 24;

export function TextBlock({ name, text, isCode, isFolded }: TextBlockProps) {
  const json = toPrettyJson(text);
  const whole = json ?? text;
  if (whole.trim() === '') return null;
  const body = <Shortened text={whole} isCode={isCode ?? json !== undefined} />;
  if (isFolded)
    return (
      <details className={styles.fold}>
        <summary>{name}</summary>
        {body}
      </details>
    );
  return (
    <section className={styles.block}>
      <h4 className={styles.name}>{name}</h4>
      {body}
    </section>
  );
}

function Shortened({ text, isCode }: { readonly text: string; readonly isCode: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const short = headOf(text);
  const isShort = short.length === text.length;
  return (
    <>
      <p className={isCode ? styles.code : styles.text}>{isWhole || isShort ? text : `${short}…`}</p>
      {isShort ? null : (
        <button type="button" className={styles.link} onClick={() => setWhole((before) => !before)}>
          {isWhole ? 'Show less' : `Show all (${text.length.toLocaleString('en')} characters)`}
        </button>
      )}
    </>
  );
}

function headOf(text: string): string {
  const head = text.slice(0, shownAtFirst);
  const lines = head.split('\n');
  const short = lines.length > linesAtFirst ? lines.slice(0, linesAtFirst).join('\n') : head;
  // Not for a few words more.
  return text.length - short.length < 200 ? text : short;
}

/** Nothing where it is no JSON of several values. */
function toPrettyJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
