// Data as a tree: what holds something opens, what is long or much is shown in parts.

import { isObject, type Json, type JsonObject } from '@ai-agent/core';
import { useState } from 'react';
import styles from './json-tree.module.css';
import { headOf } from './to-table.ts';

const longText = 2_000;
const pageOfEntries = 100;
/** Deeper than this nothing is set in any further. */
const maxSteps = 10;

export interface JsonTreeProps {
  readonly value: Json;
  readonly label: string;
}

export function JsonTree({ value, label }: JsonTreeProps) {
  return (
    <section className={styles.tree} aria-label={label}>
      {isHolder(value) ? <Entries value={value} depth={0} /> : <Leaf value={value} />}
    </section>
  );
}

type Holder = readonly Json[] | JsonObject;

function isHolder(value: Json): value is Holder {
  return Array.isArray(value) || isObject(value);
}

function Entries({ value, depth }: { readonly value: Holder; readonly depth: number }) {
  const [shown, setShown] = useState(pageOfEntries);
  const names = Object.keys(value);
  const left = names.length - shown;
  if (names.length === 0)
    return <span className={styles.faint}>{Array.isArray(value) ? 'empty list' : 'nothing in it'}</span>;
  return (
    <ul className={styles.entries} data-flat={depth > maxSteps}>
      {names.slice(0, shown).map((name) => (
        <Entry
          key={name}
          name={name}
          value={(value as JsonObject)[name] as Json}
          depth={depth}
          isInList={Array.isArray(value)}
        />
      ))}
      {left > 0 ? (
        <li>
          <button type="button" className={styles.more} onClick={() => setShown(shown + pageOfEntries)}>
            Show {Math.min(left, pageOfEntries)} more of {left.toLocaleString()}
          </button>
        </li>
      ) : null}
    </ul>
  );
}

interface EntryProps {
  readonly name: string;
  readonly value: Json;
  readonly depth: number;
  readonly isInList: boolean;
}

function Entry({ name, value, depth, isInList }: EntryProps) {
  const [isOpen, setOpen] = useState(() => isHolder(value) && depth < 2 && Object.keys(value).length <= 12);
  const key = <span className={isInList ? styles.number : styles.key}>{isInList ? Number(name) + 1 : name}</span>;
  if (!isHolder(value) || Object.keys(value).length === 0)
    return (
      <li className={styles.leaf}>
        {key} {isHolder(value) ? <Entries value={value} depth={depth} /> : <Leaf value={value} />}
      </li>
    );
  return (
    <li>
      <button type="button" className={styles.holder} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <svg className={styles.way} viewBox="0 0 8 8" aria-hidden="true">
          <path d="M2 1.2 6.4 4 2 6.8Z" fill="currentColor" />
        </svg>
        {key} <span className={styles.faint}>{isOpen ? sizeOf(value) : headOf(value, 80)}</span>
      </button>
      {isOpen ? <Entries value={value} depth={depth + 1} /> : null}
    </li>
  );
}

function sizeOf(value: Holder): string {
  const count = Object.keys(value).length;
  if (Array.isArray(value)) return count === 1 ? '1 entry' : `${count.toLocaleString()} entries`;
  return '';
}

function Leaf({ value }: { readonly value: Json }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') return <span className={styles.plain}>{String(value)}</span>;
  if (value === '') return <span className={styles.faint}>empty text</span>;
  const isCut = !isWhole && value.length > longText;
  return (
    <span className={styles.text}>
      {isCut ? `${value.slice(0, longText)}… ` : value}
      {isCut ? (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          Show all {value.length.toLocaleString()} characters
        </button>
      ) : null}
    </span>
  );
}
