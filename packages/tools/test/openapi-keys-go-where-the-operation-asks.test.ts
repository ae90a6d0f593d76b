// Keys of the configuration are sent with the operations that ask for them, in the way they ask, and with no others.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { call, openSpec, serve } from './support/http-tools.ts';

const securitySchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  basic: { type: 'http', scheme: 'Basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2', flows: {} },
  linked: { $ref: '#/components/securitySchemes/bearer' },
};

async function sent(security: unknown, auth: Record<string, string>, more: Record<string, unknown> = {}) {
  const { url, heard } = await serve();
  const parameters = [
    { name: 'q', in: 'query', schema: {} },
    { name: 'X-Key', in: 'header', schema: {} },
    { name: 'c', in: 'cookie', schema: {} },
  ];
  const { tools } = await openSpec(
    { paths: { '/x': { get: { security, parameters, responses: {} } } }, components: { securitySchemes }, ...more },
    { config: { baseUrl: url, auth, headers: { 'X-Always': '${A}' } }, env: { A: 'yes' } },
  );
  expect(await call(tools[0], { q: 'a', 'X-Key': 'of the model', c: '1' })).toBe('ok');
  const [{ target, headers } = { target: '', headers: {} as Record<string, unknown> }] = heard;
  expect(headers['x-always']).toBe('yes');
  return { target, key: headers['x-key'], authorization: headers.authorization, cookie: headers.cookie };
}

const nothing = { target: '/x?q=a', key: 'of the model', authorization: undefined, cookie: 'c=1' };

test('in a header, where no argument takes its place', async () => {
  expect(await sent([{ header: [] }], { header: 'k' })).toEqual({ ...nothing, key: 'k' });
});

test('in the query, and in a cookie, beside others', async () => {
  expect(await sent([{ query: [], cookie: [] }], { query: 'a&b', cookie: 's' })).toEqual({
    ...nothing,
    target: '/x?q=a&api%20key=a%26b',
    cookie: 'c=1; sid=s',
  });
});

test('as a password, and as a token', async () => {
  const base64 = Buffer.from('ann:pässword').toString('base64');
  expect((await sent([{ basic: [] }], { basic: 'ann:pässword' })).authorization).toBe(`Basic ${base64}`);
  for (const scheme of ['bearer', 'oauth', 'linked'])
    expect((await sent([{ [scheme]: [] }], { [scheme]: 't' })).authorization).toBe('Bearer t');
});

test('the first alternative that there are all keys for', async () => {
  const security = [{ header: [], basic: [] }, {}, { bearer: [] }];
  expect(await sent(security, { header: 'k', bearer: 't' })).toEqual({ ...nothing, authorization: 'Bearer t' });
  expect(await sent(security, { header: 'k' })).toEqual(nothing);
});

test('as the whole document asks, unless the operation asks for nothing', async () => {
  const whole = { security: [{ bearer: [] }] };
  expect((await sent(undefined, { bearer: 't' }, whole)).authorization).toBe('Bearer t');
  expect(await sent([], { bearer: 't' }, whole)).toEqual(nothing);
});

test('a key for nothing is a mistake', async () => {
  await expect(sent([], { beerer: 't-secret' })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/auth\.beerer .*header, query, cookie/),
  });
});
