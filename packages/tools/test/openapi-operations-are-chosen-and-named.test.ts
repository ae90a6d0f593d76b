// Which operations of a document become tools, what they are called and what is known of them.

import { toSafeName } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { openSpec } from './support/http-tools.ts';

const operation = (operationId?: string, tags?: readonly string[]) => ({
  responses: {},
  ...(operationId ? { operationId } : {}),
  ...(tags ? { tags } : {}),
});

const paths = {
  '/pets': { get: operation('listPets', ['Pets', 'all']), post: operation('pets.create', ['pets-admin']) },
  '/pets/{id}/owner-name': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
    get: operation(),
    delete: operation(undefined, ['people']),
  },
  '/z': { $ref: '#/components/pathItems/Z' },
};
const components = { pathItems: { Z: { patch: operation('z') } } };

async function namesOf(config: Record<string, unknown>, isWanted = (_: readonly string[]) => true) {
  const { tools } = await openSpec(
    { paths, components },
    { name: 'shop', config: { baseUrl: 'https://a.example', ...config }, isWanted },
  );
  return tools.map(({ name }) => name.replace('rest__shop_', ''));
}

const all = ['listPets', 'pets.create', 'get_pets_id_owner_name', 'delete_pets_id_owner_name', 'z'];

test('all of them, in their order', async () => {
  expect(await namesOf({})).toEqual(all);
});

test('by method, in any letters; by tag, with patterns; by name', async () => {
  expect(await namesOf({ includeMethods: ['get', 'PATCH'] })).toEqual(['listPets', 'get_pets_id_owner_name', 'z']);
  expect(await namesOf({ tagFilter: ['PETS*'] })).toEqual(['listPets', 'pets.create']);
  expect(await namesOf({ tagFilter: ['people', 'all'], includeMethods: ['delete'] })).toEqual([
    'delete_pets_id_owner_name',
  ]);
  expect(await namesOf({}, (names) => names.includes('rest__shop_pets_create'))).toEqual(['pets.create']);
});

test('names that come out the same are told apart, whatever is left out', async () => {
  const long = 'x'.repeat(80);
  const twins = {
    '/a': { get: operation('do.it', ['one']) },
    '/b': { get: operation('do_it', ['two']) },
    '/c': { get: operation('do_it_2') },
    '/d': { get: operation('do it') },
    '/e': { get: operation(`${long}1`) },
    '/f': { get: operation(`${long}2`) },
  };
  const open = (config: Record<string, unknown> = {}) =>
    openSpec({ paths: twins }, { config: { baseUrl: 'https://a.example', ...config } });
  const safe = (await open()).tools.map(({ name }) => toSafeName(name));
  expect(new Set(safe).size).toBe(6);
  expect(safe.slice(0, 4)).toEqual(['rest__it_do_it', 'rest__it_do_it_2', 'rest__it_do_it_2_2', 'rest__it_do_it_3']);
  expect(safe.every((name) => name.length <= 64)).toBe(true);
  expect((await open({ tagFilter: ['two'] })).tools.map(({ name }) => toSafeName(name))).toEqual(['rest__it_do_it_2']);
});

test('what only looks, what may be repeated, and what is kept', async () => {
  const { tools } = await openSpec(
    { paths, components },
    { name: 'shop', config: { baseUrl: 'https://a.example', cache: 1000 } },
  );
  expect(tools.map(({ readOnly, idempotent, cache }) => [readOnly, idempotent, cache?.ttlMs])).toEqual([
    [true, true, 1000],
    [false, false, undefined],
    [true, true, 1000],
    [false, true, undefined],
    [false, false, undefined],
  ]);
  expect(tools[1]).toMatchObject({ identity: { namespace: 'rest', tool: 'shop_pets.create' } });
  expect(tools.every(({ queue }) => queue !== undefined)).toBe(true);
});
