// Query parameters are sent whether or not one of them is a list.

import { expect, test } from 'vitest';
import { call, openSpec, serve } from './support/http-tools.ts';

test('GET with one integer of a query', async () => {
  const { url, heard } = await serve((_, response) => {
    response.setHeader('content-type', 'application/json').end('{"n":1}');
  });
  const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer' } }];
  const { tools } = await openSpec(
    { paths: { '/pets': { get: { operationId: 'listPets', parameters, responses: {} } } } },
    { name: 'pets', config: { baseUrl: `${url}/v1` } },
  );
  expect(tools[0]?.name).toBe('rest__pets_listPets');
  expect(await call(tools[0], { limit: 5 })).toEqual({ type: 'json', value: { n: 1 } });
  expect(heard[0]).toMatchObject({ method: 'GET', target: '/v1/pets?limit=5' });
});
