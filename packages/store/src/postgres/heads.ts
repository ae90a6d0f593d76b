// Heads of sessions into their table, many at once; and the head of a next round, where nobody else has begun it.

import type { HeadRow } from '../ask.ts';
import { toColumn, toColumnOrEmpty } from './text.ts';
import { type Taken, takenOver, type Writing } from './writing.ts';

type Column = readonly [name: string, type: string, of: (head: HeadRow) => string | number | null];

const columns: readonly Column[] = [
  ['id', 'text', ({ id }) => toColumn(id)],
  ['owner', 'text', ({ owner }) => toColumnOrEmpty(owner)],
  ['on_behalf_of', 'text', ({ user }) => toColumnOrEmpty(user)],
  ['agent', 'text', ({ agent }) => toColumn(agent)],
  ['headend', 'text', ({ headend }) => toColumn(headend)],
  ['status', 'text', ({ status }) => status],
  ['created_at', 'double precision', ({ createdAt }) => createdAt],
  ['ended_at', 'double precision', ({ endedAt }) => endedAt],
  ['resumptions', 'integer', ({ resumptions }) => resumptions],
  ['head', 'text', ({ json }) => json],
];

const names = columns.map(([name]) => name);
const changed = names.filter((name) => name !== 'id');
const bytes = 'known.bytes - octet_length(known.head) + octet_length';

/** Of each session the last: a process that was slow must not undo what another has written since. Those that were refused, by their id, with the reason. */
export async function putHeads(writing: Writing, heads: readonly HeadRow[]): Promise<ReadonlyMap<string, string>> {
  const { client, tables, writer, numbers } = writing;
  const last = [...new Map(heads.map((head) => [head.id, head])).values()];
  const types = columns.map(([, type], at) => `$${at + 1}::${type}[]`);
  const statement = `
    INSERT INTO {sessions} AS known (${names.join(', ')}, writer, bytes)
    SELECT ${names.map((name) => `given.${name}`).join(', ')}, $${columns.length + 1}, octet_length(given.head)
    FROM unnest(${types.join(', ')}) WITH ORDINALITY AS given (${names.join(', ')}, place) ORDER BY place
    ON CONFLICT (id) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(', ')},
      writer = excluded.writer, bytes = ${bytes}(excluded.head)
    WHERE known.writer = excluded.writer
      OR (known.status NOT IN ('queued', 'running') AND known.resumptions <= excluded.resumptions)
    RETURNING id, facts`;
  const values = columns.map(([, , of]) => last.map(of));
  const { rows } = await client.query<{ id: string; facts: number }>(tables.name(statement), [...values, writer]);
  const facts = new Map(rows.map((row) => [row.id, row.facts]));
  const refused = new Map<string, string>();
  for (const { id, resumptions, endedAt } of last) {
    const found = facts.get(toColumn(id));
    if (found === undefined) refused.set(id, takenOver(id));
    else if (endedAt !== null) numbers.forget(id);
    else if (numbers.of(id, { resumptions, facts: found }).resumptions !== resumptions)
      numbers.goOn(id, { resumptions, facts: found });
  }
  return refused;
}

/** Whether it was taken. */
export async function claimHead(writing: Writing, head: HeadRow): Promise<boolean> {
  const { client, tables, writer, numbers, taken } = writing;
  const look = 'SELECT id, status, ended_at, resumptions, writer, head, facts FROM {sessions} WHERE id = $1 FOR UPDATE';
  const { rows } = await client.query<Taken & { readonly facts: number }>(tables.name(look), [toColumn(head.id)]);
  const [before] = rows;
  const isFree = before && before.status !== 'queued' && before.status !== 'running';
  if (!isFree || before.resumptions !== head.resumptions - 1) return false;
  const statement = `
    UPDATE {sessions} AS known SET ${names.map((name, at) => `${name} = $${at + 1}`).join(', ')},
      writer = $${columns.length + 1}, bytes = ${bytes}($${names.indexOf('head') + 1}::text)
    WHERE id = $1`;
  await client.query(tables.name(statement), [...columns.map(([, , of]) => of(head)), writer]);
  numbers.goOn(head.id, { resumptions: head.resumptions, facts: before.facts });
  taken.push(before);
  return true;
}

/** Those that were taken, although whoever asked for them was told that it failed: they are what they were before. */
export async function giveBack({ client, tables, writer }: Writing, doubtful: readonly Taken[]): Promise<void> {
  const statement = `
    UPDATE {sessions} AS known SET status = given.status, ended_at = given.ended_at, resumptions = given.resumptions,
      writer = given.writer, head = given.head, bytes = ${bytes}(given.head)
    FROM unnest($1::text[], $2::text[], $3::double precision[], $4::integer[], $5::text[], $6::text[])
      AS given (id, status, ended_at, resumptions, writer, head)
    WHERE known.id = given.id AND known.resumptions = given.resumptions + 1 AND known.writer = $7
      AND known.status IN ('queued', 'running')`;
  const values = [
    doubtful.map(({ id }) => id),
    doubtful.map(({ status }) => status),
    doubtful.map(({ ended_at }) => ended_at),
    doubtful.map(({ resumptions }) => resumptions),
    doubtful.map((one) => one.writer),
    doubtful.map(({ head }) => head),
    writer,
  ];
  await client.query(tables.name(statement), values);
}
