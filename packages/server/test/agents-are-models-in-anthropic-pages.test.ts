// The promise: who says that it speaks Anthropic's API finds every agent as a model of it, page after page.

import { describe, expect, test } from 'vitest';
import { hashOf, Keys } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { anthropicApp, type Read, refusalIn, version } from './support/anthropic-app.ts';
import { shapeFaults } from './support/anthropic-schemas.ts';

const names = ['one', 'two', 'three', 'four', 'five'];
const agents = () => names.map((name) => agentOf(name, ['Hi.']));

async function pageOf(query: string): Promise<Read> {
  const response = await anthropicApp(agents()).request(`/v1/models${query}`, { headers: version });
  const page = (await response.json()) as Read;
  expect(shapeFaults('models', page)).toEqual([]);
  return [page.data.map(({ id }: { id: string }) => id), page.has_more, page.first_id, page.last_id];
}

test('all of them, where nobody asks for less', async () => {
  expect(await pageOf('')).toEqual([names, false, 'one', 'five']);
  expect(await pageOf('?beta=true&lifecycle[]=active')).toEqual([names, false, 'one', 'five']);
});

describe('pages', () => {
  test.each([
    ['?limit=2', [['one', 'two'], true, 'one', 'two']],
    ['?limit=2&after_id=two', [['three', 'four'], true, 'three', 'four']],
    ['?limit=2&after_id=four', [['five'], false, 'five', 'five']],
    ['?limit=5&after_id=five', [[], false, null, null]],
    ['?limit=2&before_id=five', [['three', 'four'], true, 'three', 'four']],
    ['?limit=2&before_id=three', [['one', 'two'], false, 'one', 'two']],
    ['?before_id=one', [[], false, null, null]],
  ] as const)('%s', async (query, page) => {
    expect(await pageOf(query)).toEqual(page);
  });

  test.each(['?limit=0', '?limit=1001', '?limit=many', '?limit=', '?after_id=none', '?before_id=none'])(
    '%s is refused',
    async (query) => {
      const response = await anthropicApp(agents()).request(`/v1/models${query}`, { headers: version });
      expect((await refusalIn(response)).slice(0, 2)).toEqual([400, 'invalid_request_error']);
    },
  );
});

test('one alone, whatever its name', async () => {
  const app = anthropicApp([{ name: 'team/größte one', agent: agentOf('own', ['Hi.']) }]);
  const path = `/v1/models/${encodeURIComponent('team/größte one')}`;
  const model = (await (await app.request(path, { headers: version })).json()) as Read;
  expect(shapeFaults('model', model)).toEqual([]);
  expect(model).toMatchObject({ id: 'team/größte one', display_name: 'team/größte one' });
  const missing = await app.request('/v1/models/none', { headers: version });
  expect((await refusalIn(missing)).slice(0, 2)).toEqual([404, 'not_found_error']);
});

test('a key sees those that it may call', async () => {
  const keys = new Keys(
    { one: { hash: hashOf('k'), agents: ['t*'] } },
    { now: () => 0, monotonicMs: () => 0, after: () => () => {} },
  );
  const app = anthropicApp(agents(), { app: { keys } });
  const response = await app.request('/v1/models', { headers: { ...version, 'x-api-key': 'k' } });
  const { data } = (await response.json()) as Read;
  expect(data.map(({ id }: { id: string }) => id)).toEqual(['two', 'three']);
});

test('who says nothing of this API is left to others, unless nobody else is there', async () => {
  const beside = anthropicApp(agents());
  expect((await beside.request('/v1/models')).status).toBe(404);
  expect((await beside.request('/v1/models/one')).status).toBe(404);
  const alone = anthropicApp(agents(), { headend: { isAlone: true } });
  const page = (await (await alone.request('/v1/models?limit=1')).json()) as Read;
  expect(page.data[0].id).toBe('one');
  expect((await refusalIn(await alone.request('/v1/models/none')))[0]).toBe(404);
});
