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
