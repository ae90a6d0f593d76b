// What a batch writes, as few statements as it takes: heads and facts of many sessions go together, the rest one by one.

import { compareNames } from '@ai-agent/core';
import type { Answer, Value } from '../ask.ts';
import { deleteSessions } from './delete-sessions.ts';
import { writeFacts } from './facts.ts';
import { claimHead, putHeads } from './heads.ts';
import { toColumn } from './text.ts';
import type { Append, OfNote, Put, Single, Write, Writing } from './writing.ts';

/** In their order, as far as it matters, inside of a transaction. An answer to each. */
export async function writeAll(writing: Writing, writes: readonly Write[]): Promise<readonly Answer[]> {
  const answers = new Map<Write, Answer>();
  let group: (Put | Append)[] = [];
  for (const write of withNotesLast(writes)) {
    if (isOfGroup(write)) {
      group.push(write);
      continue;
    }
    await writeGroup(writing, group, answers);
    group = [];
    answers.set(write, { value: await writeSingle(writing, write) });
  }
  await writeGroup(writing, group, answers);
  return writes.map((write) => answers.get(write) ?? { value: null });
}

/** By their names, so that two who write several do not wait for each other. Nothing else has to do with them. */
function withNotesLast(writes: readonly Write[]): readonly Write[] {
  const notes = writes.filter(isOfNote).sort((one, other) => compareNames(one.name, other.name));
  return notes.length === 0 ? writes : [...writes.filter((write) => !isOfNote(write)), ...notes];
}

function isOfNote(write: Write): write is OfNote {
  return write.do === 'put-note' || write.do === 'claim-note' || write.do === 'delete-note';
}

function isOfGroup(write: Write): write is Put | Append {
  return write.do === 'put' || write.do === 'append';
}

/** All of it is seen at once, so that the order of heads and facts does not matter; facts need their session. */
async function writeGroup(writing: Writing, group: readonly (Put | Append)[], answers: Map<Write, Answer>) {
  const puts = group.filter((write) => write.do === 'put');
  const appends = group.filter((write) => write.do === 'append');
  if (puts.length > 0) {
    const refused = await putHeads(
      writing,
      puts.map(({ head }) => head),
    );
    for (const put of puts) answers.set(put, answerTo(refused.get(put.head.id)));
  }
  if (appends.length > 0) {
    const refused = await writeFacts(writing, appends);
    for (const append of appends) answers.set(append, answerTo(refused.get(append.id)));
  }
}

function answerTo(refusal: string | undefined): Answer {
  return refusal === undefined ? { value: null } : { failure: { code: 'store-failed', message: refusal } };
}

async function writeSingle(writing: Writing, write: Single): Promise<Value> {
  const { client, tables } = writing;
  const ask = (statement: string, values: readonly unknown[]) => client.query(tables.name(statement), [...values]);
  switch (write.do) {
    case 'claim':
      return claimHead(writing, write.head);
    case 'delete':
      writing.numbers.forget(write.id);
      return (await deleteSessions(writing, 'id = $1', [toColumn(write.id)])) > 0;
    case 'put-pause':
      await ask(
        `INSERT INTO {pauses} (handle, json, kept_at) VALUES ($1, $2, $3)
         ON CONFLICT (handle) DO UPDATE SET json = excluded.json, kept_at = excluded.kept_at`,
        [toColumn(write.handle), write.json, writing.now()],
      );
      return null;
    case 'delete-pause':
      return ((await ask('DELETE FROM {pauses} WHERE handle = $1', [toColumn(write.handle)])).rowCount ?? 0) > 0;
    case 'put-note':
      await ask(
        `INSERT INTO {notes} (name, json, until) VALUES ($1, $2, $3)
         ON CONFLICT (name) DO UPDATE SET json = excluded.json, until = excluded.until`,
        [toColumn(write.name), write.json, write.untilMs],
      );
      return null;
    case 'claim-note': {
      const statement = `
        INSERT INTO {notes} AS known (name, json, until) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET json = excluded.json, until = excluded.until WHERE known.until <= $4`;
      const values = [toColumn(write.name), write.json, write.untilMs, writing.now()];
      return ((await ask(statement, values)).rowCount ?? 0) > 0;
    }
    case 'delete-note':
      await ask('DELETE FROM {notes} WHERE name = $1', [toColumn(write.name)]);
      return null;
  }
}
