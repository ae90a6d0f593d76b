// Facts into their table, those of many sessions at once, each with its number: what is given again is kept once.

import { toColumn } from './text.ts';
import { type Append, takenOver, unknown, type Writing } from './writing.ts';

interface Row {
  readonly id: string;
  readonly number: string;
  readonly facts: number;
  readonly resumptions: number;
  readonly writer: string;
}

interface Added {
  readonly row: Row;
  /** How many of its session come before. */
  readonly first: number;
  readonly texts: readonly string[];
}

/** What a fact takes beside its text, about. */
const beside = 100;

/** Those that were refused, by the id of their session, with the reason. */
export async function writeFacts(writing: Writing, appends: readonly Append[]): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>();
  const added: Added[] = [];
  const texts = gather(appends);
  const rows = await lockSessions(writing, [...texts.keys()]);
  for (const [id, given] of texts) {
    const row = rows.get(toColumn(id));
    if (!row) {
      refused.set(id, unknown(id));
      continue;
    }
    if (row.writer !== writing.writer) {
      refused.set(id, takenOver(id));
      continue;
    }
    const known = writing.numbers.of(id, row);
    const again = row.facts > known.facts ? await countAgain(writing, row, { after: known.facts, given }) : 0;
    writing.numbers.advance(id, { resumptions: row.resumptions, facts: row.facts + given.length - again });
    added.push({ row, first: row.facts, texts: given.slice(again) });
  }
  await insert(writing, added);
  return refused;
}

function gather(appends: readonly Append[]): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const { id, facts } of appends) {
    const known = texts.get(id) ?? [];
    for (const fact of facts) known.push(fact);
    texts.set(id, known);
  }
  return texts;
}

/** In one order, so that two who lock several do not wait for each other. */
async function lockSessions({ client, tables }: Writing, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const statement =
    'SELECT id, number, facts, resumptions, writer FROM {sessions} WHERE id = ANY($1) ORDER BY number FOR UPDATE';
  const { rows } = await client.query<Row>(tables.name(statement), [ids.map(toColumn)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Of what we were never told that it is there: how many are the first of those given now. */
async function countAgain(
  { client, tables }: Writing,
  { number }: Row,
  { after, given }: { readonly after: number; readonly given: readonly string[] },
): Promise<number> {
  const statement = 'SELECT json FROM {facts} WHERE session = $1 AND number > $2 ORDER BY number';
  const { rows } = await client.query<{ json: string }>(tables.name(statement), [number, after]);
  return rows.every(({ json }, at) => json === given[at]) ? rows.length : 0;
}

/** A session that was held for interrupted, because nobody had heard of this process, goes on. */
async function insert({ client, tables, writer }: Writing, added: readonly Added[]): Promise<void> {
  const statement = `
    WITH new AS (
      INSERT INTO {facts} (session, number, json) SELECT * FROM unnest($1::bigint[], $2::integer[], $3::text[])
    )
    UPDATE {sessions} AS known SET facts = known.facts + given.count, bytes = known.bytes + given.bytes,
      status = CASE WHEN is_back THEN 'running' ELSE status END,
      ended_at = CASE WHEN is_back THEN NULL ELSE ended_at END
    FROM (
      SELECT *, EXISTS (SELECT FROM {sessions} WHERE number = session AND status = 'interrupted' AND writer = $7) AS is_back
      FROM unnest($4::bigint[], $5::integer[], $6::bigint[]) AS given (session, count, bytes)
    ) AS given
    WHERE known.number = given.session`;
  const numbers = added.flatMap(({ first, texts }) => texts.map((_, at) => first + at + 1));
  const values = [
    added.flatMap(({ row, texts }) => texts.map(() => row.number)),
    numbers,
    added.flatMap(({ texts }) => texts),
    added.map(({ row }) => row.number),
    added.map(({ texts }) => texts.length),
    added.map(({ texts }) => texts.reduce((sum, text) => sum + Buffer.byteLength(text) + beside, 0)),
    writer,
  ];
  if (added.length > 0) await client.query(tables.name(statement), values);
}
