// Keys of the configuration are sent with the operations that ask for them, in the way they ask, and with no others.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { Api } from '../src/openapi/api.ts';
import { keyring } from '../src/openapi/keys.ts';
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

test('an argument never stands beside the key of its name, and is not asked for', async () => {
  const { url, heard } = await serve();
  const parameters = [
    { name: 'api key', in: 'query', required: true, schema: {} },
    { name: 'free', in: 'query', schema: { type: 'object' } },
    { name: 'sid', in: 'cookie', schema: {} },
    { name: 'Cookie', in: 'header', schema: {} },
    { name: 'x-key', in: 'header', schema: {} },
    { name: 'X-Always', in: 'header', schema: {} },
    { name: 'X-Other', in: 'header', schema: {} },
  ];
  const paths = { '/x': { get: { security: [{ query: [], cookie: [], header: [] }], parameters, responses: {} } } };
  const open = (config: Record<string, unknown>) =>
    openSpec({ paths, components: { securitySchemes } }, { config: { baseUrl: url, ...config } });
  const auth = { query: 'k1', cookie: 'k2', header: 'k3' };
  const { tools } = await open({ auth, headers: { 'x-always': 'k4' } });
  expect(tools[0]?.inputSchema).toMatchObject({ properties: { free: {}, 'X-Other': {} } });
  expect(Object.keys(tools[0]?.inputSchema.properties as object)).toEqual(['free', 'X-Other']);
  expect(tools[0]?.inputSchema).not.toHaveProperty('required');
  const mine = { api_key: 'm', sid: 'm', Cookie: 'sid=m', 'x-key': 'm', 'X-Always': 'm', 'X-Other': 'o' };
  await call(tools[0], { ...mine, free: { 'api key': 'm', a: 1 } });
  expect(heard[0]).toMatchObject({
    target: '/x?a=1&api%20key=k1',
    headers: { cookie: 'sid=k2', 'x-key': 'k3', 'x-always': 'k4', 'x-other': 'o' },
  });
  // The same document without keys asks for all of them.
  expect(Object.keys((await open({})).tools[0]?.inputSchema.properties as object)).toHaveLength(7);
});

test('another server that an operation names gets keys where the configuration names it', async () => {
  const home = await serve();
  const other = await serve();
  const operation = { security: [{ header: [] }], responses: {} };
  const document = {
    servers: [{ url: home.url }],
    paths: {
      '/home': { get: operation },
      '/path': { servers: [{ url: other.url }], get: operation },
      '/own': { get: { ...operation, servers: [{ url: other.url }] } },
    },
    components: { securitySchemes },
  };
  const secret = { auth: { header: 'k' }, headers: { 'X-Always': 'a' } };
  const hosts = (...servers: { url: string }[]) => servers.map(({ url }) => new URL(url).host);
  const keys = async (config: Record<string, unknown>) => {
    home.heard.length = 0;
    other.heard.length = 0;
    const { tools } = await openSpec(document, { config: { ...secret, ...config } });
    for (const tool of tools) await call(tool, {});
    const seen = ({ target, headers }: (typeof home.heard)[0]) => [target, headers['x-key'], headers['x-always']];
    return [home.heard.map(seen), other.heard.map(seen)];
  };
  expect(await keys({ allowedHosts: hosts(home, other) })).toEqual([
    [['/home', 'k', 'a']],
    [
      ['/path', 'k', 'a'],
      ['/own', 'k', 'a'],
    ],
  ]);
  expect(await keys({ baseUrl: other.url })).toEqual([
    [],
    [
      ['/home', 'k', 'a'],
      ['/path', 'k', 'a'],
      ['/own', 'k', 'a'],
    ],
  ]);
});

test.each([
  ['https://a.example/v2', {}, true],
  ['https://a.example:8443/', {}, false],
  ['http://a.example/', {}, false],
  ['https://evil.example/', {}, false],
  ['https://b.example/', { allowedHosts: ['*.example'] }, true],
  ['https://b.example:81/', { allowedHosts: ['b.example'] }, false],
  ['https://a.example/', { baseUrl: 'https://b.example' }, false],
])('keys go to %s with %j: %s', (address, more, isSent) => {
  const operation = { security: [{ query: [] }], responses: {}, parameters: [{ name: 'api key', in: 'query' }] };
  const api = new Api({
    servers: [{ url: 'https://a.example/v1' }],
    paths: { '/x': { get: operation } },
    components: { securitySchemes },
  });
  const config = { baseUrl: undefined, headers: { 'X-Always': 'a' }, auth: { query: 'k' }, allowedHosts: [], ...more };
  const [one] = api.operations;
  const { headers, query, fills } = keyring(config, api)(one as NonNullable<typeof one>, new URL(address));
  expect([headers, query]).toEqual(isSent ? [{ 'X-Always': 'a' }, { 'api key': 'k' }] : [{}, {}]);
  expect(fills({ in: 'query', name: 'api key' })).toBe(isSent);
});
