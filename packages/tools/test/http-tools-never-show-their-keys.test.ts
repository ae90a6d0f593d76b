// Keys of a set-up are told to the session as secrets, and no failure repeats them, whatever the server says.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { call, failureIn, openRest, openSpec, openTool, serve } from './support/http-tools.ts';

const env = { SHOP_TOKEN: 'tok-1234567890', REGION: 'north' };

function echo() {
  return serve(({ headers, target }, response) => response.writeHead(400).end(JSON.stringify({ headers, target })));
}

test('variables that are named like secrets, and headers that are', async () => {
  const { url } = await echo();
  const { tools, hidden } = await openRest({
    env,
    config: {
      url: `${url}/\${REGION}`,
      headers: { Authorization: 'Bearer ${SHOP_TOKEN}', 'X-Api-Key': 'written-here' },
    },
  });
  expect(hidden).toEqual(expect.arrayContaining(['tok-1234567890', 'written-here']));
  expect(hidden).not.toContain('north');
  const { message } = failureIn(await call(tools[0]));
  expect(message).toContain('/north');
  expect(message).toContain('***');
  expect(message).not.toMatch(/tok-1234567890|written-here/);
});

test('a key in the address is not in a message about the network', async () => {
  const tool = await openTool({ url: 'http://127.0.0.1:1/bot${SHOP_TOKEN}/send' }, { env });
  expect(JSON.stringify(failureIn(await call(tool)))).not.toContain(env.SHOP_TOKEN);
});

test('a variable that is missing is named', async () => {
  await expect(openTool({ url: 'http://a.example/${SHOP_TOKEN}' })).rejects.toMatchObject({
    code: 'secret-missing',
    message: expect.stringContaining('SHOP_TOKEN'),
  });
});

test('every form in which a document asks for keys', async () => {
  const { url } = await echo();
  const schemes = {
    inQuery: { type: 'apiKey', in: 'query', name: 'key' },
    inCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
    basic: { type: 'http', scheme: 'basic' },
  };
  const security = [{ inQuery: [], inCookie: [], basic: [] }];
  const auth = { inQuery: 'query+secret/1', inCookie: 'cookie-secret', basic: 'ann:pass-secret' };
  const { tools, hidden } = await openSpec(
    { paths: { '/x': { get: { security, responses: {} } } }, components: { securitySchemes: schemes } },
    { config: { baseUrl: url, auth } },
  );
  const base64 = Buffer.from('ann:pass-secret').toString('base64');
  expect(hidden).toEqual(expect.arrayContaining([auth.inQuery, auth.inCookie, 'pass-secret', base64]));
  const { message } = failureIn(await call(tools[0]));
  for (const secret of [...hidden, encodeURIComponent(auth.inQuery)]) expect(message).not.toContain(secret);
});

test.each([
  [{ Cookie: 'sid=verysecretvalue1; a=b' }, ['verysecretvalue1']],
  [{ Cookie: 'sid=verysecretvalue1; lang=${parameters.lang}' }, ['verysecretvalue1']],
  [{ Authorization: 'ApiKey-v1 abcdefghijkl' }, ['abcdefghijkl']],
  [{ Authorization: 'Token token="abcdefghijkl", realm=here' }, ['abcdefghijkl']],
  [{ Authorization: 'Basic am9objpodW50ZXIy==' }, ['am9objpodW50ZXIy']],
])('what is in a header, by itself: %j', async (headers, keys) => {
  const { url } = await serve((_, response) => response.writeHead(400).end(`no ${keys.join(' ')}, Token Bearer`));
  const { tools, hidden } = await openRest({ config: { url, headers } });
  expect(hidden).toEqual(expect.arrayContaining(keys));
  // Words that say how a key is sent are none.
  for (const word of ['Token', 'Bearer', 'ApiKey-v1', 'sid', 'token', 'realm']) expect(hidden).not.toContain(word);
  const { message } = failureIn(await call(tools[0]));
  for (const key of keys) expect(message).not.toContain(key);
});

test('the form in which a key is sent is told too', async () => {
  const config = { url: 'https://a.example/', method: 'POST', bodyTemplate: 'key=${API_KEY}' };
  const { hidden } = await openRest({ config, env: { API_KEY: 'p@ss!word(1)*long' } });
  expect(hidden).toEqual(expect.arrayContaining(['p@ss!word(1)*long', 'p%40ss%21word%281%29%2Along']));
});

test('a name with a space before a password', async () => {
  const { hidden } = await openSpec(
    {
      paths: { '/x': { get: { security: [{ basic: [] }], responses: {} } } },
      components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
    },
    { config: { baseUrl: 'https://a.example', auth: { basic: 'John Smith:hunter2hunter2' } } },
  );
  const base64 = Buffer.from('John Smith:hunter2hunter2').toString('base64');
  expect(hidden).toEqual(expect.arrayContaining([base64, 'hunter2hunter2']));
});
