// A REST tool has its name, its schema, its flags, its row and its cache from the set-up, and nothing of another's.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { Queues } from '../src/queues.ts';
import { openRest, openSpec, openTool, realClock } from './support/http-tools.ts';

const url = 'https://a.example/${parameters.q}';

test('names and schema', async () => {
  const parametersSchema = { properties: { q: { type: 'string' } }, required: ['q'] };
  const tool = await openTool({ url, description: 'Looks it up', parametersSchema }, { name: 'look.up' });
  expect(tool).toMatchObject({
    name: 'rest__look.up',
    identity: { namespace: 'rest', tool: 'look.up' },
    description: 'Looks it up',
    inputSchema: { type: 'object', ...parametersSchema },
  });
  expect((await openTool({ url })).inputSchema).toMatchObject({ type: 'object', properties: { q: {} } });
});

test('without a schema, what stands before the query is needed', async () => {
  const config = {
    url: 'https://a.example/${parameters.id}/${parameters.at.x}?q=${parameters.q}',
    headers: { A: '${parameters.h}' },
  };
  expect((await openTool(config)).inputSchema).toMatchObject({
    properties: { id: {}, at: {}, q: {}, h: {} },
    required: ['id', 'at'],
  });
});

test('only what is wanted is offered, by either of its names', async () => {
  const asked: string[] = [];
  const isWanted = (names: readonly string[]) => asked.push(...names) < 0;
  expect((await openRest({ name: 'look.up', config: { url }, isWanted })).tools).toEqual([]);
  expect(asked).toEqual(['rest__look.up', 'rest__look_up']);
});

test('methods that only look, and methods that may be repeated', async () => {
  const flags = async (method: string) => {
    const { readOnly, idempotent } = await openTool({ url, method });
    return [readOnly, idempotent];
  };
  for (const method of ['GET', 'head']) expect(await flags(method)).toEqual([true, true]);
  for (const method of ['PUT', 'DELETE']) expect(await flags(method)).toEqual([false, true]);
  for (const method of ['POST', 'PATCH']) expect(await flags(method)).toEqual([false, false]);
});

test('answers are kept apart by all that is set up, and no key is in the key', async () => {
  const config = { url, cache: 60_000, headers: { Authorization: '${KEY}' } };
  const one = await openTool(config, { env: { KEY: 'secret-one' } });
  const again = await openTool(config, { env: { KEY: 'secret-one' } });
  const other = await openTool(config, { env: { KEY: 'secret-two' } });
  expect(one.cache).toEqual(again.cache);
  expect(one.cache?.key).not.toBe(other.cache?.key);
  expect(one.cache?.key).not.toContain('secret');
  expect(one.cache?.ttlMs).toBe(60_000);
  expect((await openTool({ ...config, cache: '${TTL}' }, { env: { KEY: 'k', TTL: '5m' } })).cache?.ttlMs).toBe(300_000);
  expect(await openTool({ ...config, cache: 0 }, { env: { KEY: 'k' } })).not.toHaveProperty('cache');
});

test('it stands in the row that it names', async () => {
  const rows = new Queues(realClock);
  const queues = new Map([['slow', { concurrent: 1 }]]);
  const slow = rows.queue('slow', queues);
  expect((await openTool({ url, queue: 'slow' }, { rows, queues })).queue).toBe(slow);
  expect((await openTool({ url }, { rows, queues })).queue).toBe(rows.queue(undefined, queues));
  // What is called here may be ourselves, and its row would wait for itself.
  expect(await openTool({ url: 'http://127.0.0.1:1/' }, { rows, queues })).not.toHaveProperty('queue');
  expect((await openTool({ url: 'http://localhost:1/', queue: 'slow' }, { rows, queues })).queue).toBe(slow);
  const { tools } = await openSpec(
    { paths: { '/x': { get: { responses: {} } } } },
    { rows, queues, config: { queue: 'slow', baseUrl: 'https://a.example' } },
  );
  expect(tools[0]?.queue).toBe(slow);
});
