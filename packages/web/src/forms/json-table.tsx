// A list of like objects as a table that can be sorted, in a box of its own.

import type { Json } from '@ai-agent/core';
import { useMemo, useState } from 'react';
import styles from './json-table.module.css';
import { JsonTree } from './json-tree.tsx';
import { headOf, type Order, sortRows, type Table, valueIn } from './to-table.ts';

/** More rows at once make the page slow. */
const pageOfRows = 200;

export interface JsonTableProps {
  readonly table: Table;
  readonly label: string;
}

export function JsonTable({ table, label }: JsonTableProps) {
  const { name, rest, columns, rows } = table;
  const [order, setOrder] = useState<Order>();
  const [shown, setShown] = useState(pageOfRows);
  const sorted = useMemo(() => (order ? sortRows(rows, order) : rows), [rows, order]);
  const numeric = useMemo(() => new Set(columns.filter((column) => isNumeric(table, column))), [columns, table]);
  const left = rows.length - shown;
  return (
    <div className={styles.whole}>
      {rest ? <JsonTree value={rest} label={`${label}, beside the list`} /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard scrolls it too */}
      <section className={styles.box} aria-label={`${label}, as a table`} tabIndex={0}>
        <table className={styles.table}>
          <caption className={styles.caption}>
            {name === undefined ? '' : `${name}, `}
            {rows.length === 1 ? '1 row' : `${rows.length.toLocaleString()} rows`}
          </caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head
                  key={column}
                  column={column}
                  isNumeric={numeric.has(column)}
                  order={order?.column === column ? order : undefined}
                  onOrder={setOrder}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has nothing else to tell it from others
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} data-numeric={numeric.has(column)} data-long={isLong(valueIn(row, column))}>
                    <Cell value={valueIn(row, column)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {left > 0 ? (
        <button type="button" className={styles.more} onClick={() => setShown(shown + pageOfRows)}>
          Show {Math.min(left, pageOfRows)} more of {left.toLocaleString()}
        </button>
      ) : null}
    </div>
  );
}

/** By what its first rows have. */
function isNumeric({ rows }: Table, column: string): boolean {
  const values = rows
    .slice(0, 50)
    .map((row) => valueIn(row, column))
    .filter((value) => value !== undefined && value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

function isLong(value: Json | undefined): boolean {
  return typeof value === 'object' ? value !== null : typeof value === 'string' && value.length > 40;
}

interface HeadProps {
  readonly column: string;
  readonly isNumeric: boolean;
  /** If it is sorted by this one. */
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
}

/** Upwards, downwards, then as it came. */
function Head({ column, isNumeric, order, onOrder }: HeadProps) {
  const next = !order ? { column, isDown: false } : order.isDown ? undefined : { column, isDown: true };
  const sorted = !order ? 'none' : order.isDown ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={sorted} data-numeric={isNumeric}>
      <button type="button" className={styles.sort} onClick={() => onOrder(next)}>
        {column === '' ? '""' : column}
        <svg className={styles.way} viewBox="0 0 8 8" aria-hidden="true" data-sorted={sorted}>
          <path d="M4 1.2 7 6.8H1Z" fill="currentColor" />
        </svg>
      </button>
    </th>
  );
}

function Cell({ value }: { readonly value: Json | undefined }) {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return <Long text={value} />;
  if (typeof value !== 'object') return String(value);
  return <code className={styles.nested}>{headOf(value, 120)}</code>;
}

const cellHead = 240;

function Long({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= cellHead) return text;
  return (
    <>
      {text.slice(0, cellHead)}…{' '}
      <button type="button" className={styles.all} onClick={() => setWhole(true)}>
        Show all
      </button>
    </>
  );
}
