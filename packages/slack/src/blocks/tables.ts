// A table as Slack draws it, in as many parts as its limits ask for; what Slack cannot draw is written as text.

import type { types } from '@slack/bolt';
import type { Table } from 'mdast';
import type { Atom } from './atoms.ts';
import { type Definitions, toInline } from './inline.ts';
import { limits, ours } from './limits.ts';
import { plainOf, type Span, splitText } from './spans.ts';

export function* toTableAtoms(table: Table, definitions: Definitions): Iterable<Atom> {
  const rows = table.children.map((row) => row.children.map((cell) => toInline(cell.children, definitions)));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const parts = width > limits.table.columns ? undefined : toParts(rows.map((row) => padRow(row, width)));
  if (parts === undefined) yield* toTextTable(rows);
  else for (const part of parts) yield { kind: 'whole', block: toTableBlock(part, table.align ?? []) };
}

type Row = readonly (readonly Span[])[];

/** Every row has a cell for every column. */
function padRow(row: Row, width: number): Row {
  return Array.from({ length: width }, (_, column) => row[column] ?? []);
}

/** Each with the heads of the columns. Undefined when a row is too long for any. */
function toParts(rows: readonly Row[]): readonly (readonly Row[])[] | undefined {
  const [head = [], ...body] = rows;
  const parts: Row[][] = [];
  let part = [head];
  let size = sizeOf(head);
  for (const row of body) {
    if (sizeOf(head) + sizeOf(row) > mostCharacters) return;
    if (part.length === limits.table.rows || size + sizeOf(row) > mostCharacters) {
      parts.push(part);
      [part, size] = [[head], sizeOf(head)];
    }
    part.push(row);
    size += sizeOf(row);
  }
  return size > mostCharacters ? undefined : [...parts, part];
}

/** Room is left for the end of a message beside it. */
const mostCharacters = limits.table.characters - 1_000;

function sizeOf(row: Row): number {
  return row.reduce(
    (sum, cell) =>
      sum +
      Math.max(
        1,
        cell.reduce((size, span) => size + sizeOfSpan(span), 0),
      ),
    0,
  );
}

function sizeOfSpan(span: Span): number {
  return (span.text?.length ?? 0) + (span.type === 'link' ? span.url.length : 0);
}

function toTableBlock(rows: readonly Row[], align: NonNullable<Table['align']>): types.TableBlock {
  return {
    type: 'table',
    rows: rows.map((row, index) => row.map((cell) => toCell(cell, index === 0))),
    column_settings: (rows[0] ?? []).map((_, column) => ({ align: align[column] ?? 'left', is_wrapped: true })),
  };
}

/** Never empty: Slack refuses a cell without words. */
function toCell(spans: readonly Span[], isHead: boolean): types.RawTextElement | types.RichTextBlock {
  const text = plainOf(spans);
  const isPlain = spans.every((span) => span.type === 'text' && span.style === undefined);
  if (text.trim() === '' || (isPlain && !isHead)) return { type: 'raw_text', text: text || ' ' };
  const elements = isHead ? spans.map((span) => ({ ...span, style: { ...span.style, bold: true } })) : [...spans];
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

function* toTextTable(rows: readonly Row[]): Iterable<Atom> {
  const texts = rows.map((row) =>
    row.map((cell) =>
      cell
        .map(toWords)
        .join('')
        .replace(/\s*\n\s*/g, ' '),
    ),
  );
  const widths = widthsOf(texts);
  const plain = texts.map((row) => row.join(' | ').trimEnd()).join('\n');
  const lined = texts
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
  // Columns that stand in line are worth some space, and not most of it.
  for (const text of splitText(lined.length <= plain.length * 2 ? lined : plain, ours.richText))
    if (text.trim() !== '') yield { kind: 'code', text: text.replace(/\n$/, ''), isQuoted: false };
}

/** Of the cells that there are: a wide table may have many rows with few. */
function widthsOf(texts: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of texts)
    for (const [column, cell] of row.entries())
      widths[column] = Math.min(widest, Math.max(widths[column] ?? 1, cell.length));
  return widths;
}

const widest = 40;

function toWords(span: Span): string {
  return span.type === 'link' && span.text !== span.url ? `${span.text ?? ''} (${span.url})` : (span.text ?? '');
}
