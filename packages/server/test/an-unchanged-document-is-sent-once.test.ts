// The promise: a client that has the document or the page is told that it still holds, until it does not.

import { expect, test } from 'vitest';
import { appOf, served } from './support/documented.ts';

test.each(['/openapi.json', '/docs'])('%s is not sent again', async (path) => {
  const app = appOf([served('one')]);
  const first = await app.request(path);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{20,}"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await app.request(path, { headers: { 'if-none-match': known } });
    expect([known, again.status, again.headers.get('etag'), await again.text()]).toEqual([known, 304, etag, '']);
  }
  const other = await app.request(path, { headers: { 'if-none-match': '"other"' } });
  expect([other.status, await other.text()]).toEqual([200, await first.text()]);
});

test('agents that change are seen at once, and what comes back is what was', async () => {
  const [one, two] = [served('one'), served('two')];
  let agents = [one];
  const app = appOf(() => agents);
  const read = async () => {
    const response = await app.request('/openapi.json');
    return [response.headers.get('etag'), (await response.text()).includes('/v1/two')] as const;
  };
  const before = await read();
  agents = [one, two];
  const after = await read();
  expect([before[1], after[1]]).toEqual([false, true]);
  expect(after[0]).not.toBe(before[0]);
  agents = [one];
  expect(await read()).toEqual(before);
});

test('it is made once for the same agents', async () => {
  let reads = 0;
  const { name, agent } = served('one');
  const counted = {
    name,
    get agent() {
      reads++;
      return agent;
    },
  };
  const app = appOf(() => [counted]);
  await app.request('/openapi.json');
  const made = reads;
  for (let i = 0; i < 5; i++) await app.request('/openapi.json');
  expect(reads).toBe(made);
});

test('other methods are refused in the one shape', async () => {
  const app = appOf([served('one')]);
  for (const path of ['/openapi.json', '/docs', '/']) {
    const response = await app.request(path, { method: 'POST' });
    const { error } = (await response.json()) as { error: { code: string } };
    expect([path, response.status, response.headers.get('allow'), error.code]).toEqual([
      path,
      405,
      'GET, HEAD',
      'method-wrong',
    ]);
    expect((await app.request(path, { method: 'HEAD' })).status).toBeLessThan(400);
  }
});
