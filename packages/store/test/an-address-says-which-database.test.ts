// The promise: an address leads to a database and to the tables in it, and is shown without its password.

import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { readAddress } from '../src/postgres/address.ts';
import { headOf } from './support/facts.ts';
import { usePostgres } from './support/postgres.ts';

test.each([
  ['postgres://ada:secret@db.example:5433/agents', 'postgres://ada@db.example:5433/agents', 'ai_agent'],
  ['postgresql://ada@db.example/agents', 'postgresql://ada@db.example/agents', 'ai_agent'],
  ['postgres://db/agents?user=ada&password=secret', 'postgres://db/agents', 'ai_agent'],
  ['postgres://ada:secret@/agents?host=/run/pg', 'postgres://ada@/agents?host=/run/pg', 'ai_agent'],
  ['postgres:///agents?host=/run/pg', 'postgres:///agents?host=/run/pg', 'ai_agent'],
  ['postgres://a:secret@b/c?schema=team', 'postgres://a@b/c?schema=team', 'team'],
  ['postgres://a:secret@b/c?options=-c%20search_path%3Dteam', 'postgres://a@b/c', 'team'],
  ['postgres://a:secret@b/c?sslmode=require&sslkey=key.pem', 'postgres://a@b/c?sslmode=require', 'ai_agent'],
])('%s', (text, place, schema) => {
  const address = readAddress(text);
  expect(address.place).toBe(place);
  expect(address.schema).toBe(schema);
  expect(address.url.includes('secret')).toBe(text.includes('secret'));
});

const postgres = usePostgres();

test('two schemas of one database know nothing of each other', async () => {
  const address = await postgres().database();
  const one = await openStore(address);
  const other = await openStore(`${address}?schema=Other%20"one"`);
  onTestFinished(async () => {
    await one.close();
    await other.close();
  });
  await one.put(headOf('a'));
  expect(await other.get('a')).toBeUndefined();
  await other.put(headOf('b'));
  expect(await other.list({ limit: 5 })).toHaveLength(1);
  expect(other.place).toBe(`postgres://postgres@127.0.0.1:${postgres().port}/test_1?schema=Other%20%22one%22`);
});
