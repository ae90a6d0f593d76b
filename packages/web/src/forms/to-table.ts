// Data that is a list of like objects, as a table; and a table as a file for other programs.

import { isObject, type Json, type JsonObject } from '@ai-agent/core';

export interface Table {
  /** The property that holds the list, where it is one. */
  readonly name?: string;
  /** What is said beside the list. */
  readonly rest?: JsonObject;
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

const maxColumns = 60;

/** Undefined for what is better shown as a tree. */
export function toTable(value: Json): Table | undefined {
  if (Array.isArray(value)) return toRows(value);
  if (!isObject(value)) return undefined;
  const lists = Object.entries(value as JsonObject).filter(([, part]) => Array.isArray(part));
  const [only] = lists;
  if (lists.length !== 1 || !only) return undefined;
  const table = toRows(only[1] as readonly Json[]);
  const rest = Object.fromEntries(Object.entries(value as JsonObject).filter(([name]) => name !== only[0]));
  return table && { ...table, name: only[0], ...(Object.keys(rest).length > 0 ? { rest } : {}) };
}

/** Columns in the order in which they are first seen. */
function toRows(list: readonly Json[]): Table | undefined {
  if (list.length === 0 || !list.every(isObject)) return undefined;
  const rows = list as readonly JsonObject[];
  const columns = new Set<string>();
  let cells = 0;
  for (const row of rows) {
    const names = Object.keys(row);
    cells += names.length;
    for (const name of names) columns.add(name);
    if (columns.size > maxColumns) return undefined;
  }
  // Objects that have next to nothing in common would be a table of holes.
  const isLike = cells >= (rows.length * columns.size) / 3;
  return columns.size > 0 && isLike ? { columns: [...columns], rows } : undefined;
}

export interface Order {
  readonly column: string;
  readonly isDown: boolean;
}

/** A new list. What has no value comes last, whichever way. */
export function sortRows(rows: readonly JsonObject[], { column, isDown }: Order): readonly JsonObject[] {
  const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const keyed = rows.map((row) => ({ row, key: keyOf(valueIn(row, column)) }));
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    const way =
      typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : words.compare(`${a.key}`, `${b.key}`);
    return isDown ? -way : way;
  });
  return keyed.map(({ row }) => row);
}

function keyOf(value: Json | undefined): string | number | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' || typeof value === 'string' ? value : headOf(value, 200);
}

export function valueIn(row: JsonObject, column: string): Json | undefined {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** As JSON on one line, no longer than that: what comes later is not even looked at. */
export function headOf(value: Json, length: number): string {
  const text = writeHead(value, length);
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function writeHead(value: Json, length: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length + 1));
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  const from = text.length;
  for (const name in value) {
    if (text.length > length) return text;
    text += `${text.length > from ? ', ' : ''}${isList ? '' : `${JSON.stringify(name.slice(0, length))}: `}`;
    // Each level has less to say, so that it ends however deep it is.
    text += writeHead((value as JsonObject)[name] as Json, Math.max(0, length - text.length));
  }
  return text.length > length ? text : text + (isList ? ']' : '}');
}

/** With a mark in front that tells spreadsheets that it is UTF-8. */
export function toCsv({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const lines = rows.map((row) => columns.map((column) => toCell(valueIn(row, column))).join(','));
  return `\uFEFF${[columns.map((column) => toCell(column)).join(','), ...lines].join('\r\n')}\r\n`;
}

function toCell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A spreadsheet would take it for a formula, and do what it says.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
