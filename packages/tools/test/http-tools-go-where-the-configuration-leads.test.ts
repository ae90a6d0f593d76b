// A host that is written in the configuration may be anywhere; one that comes from arguments, a document or a redirect may not.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test.

import { expect, test } from 'vitest';
import { call, failureIn, openSpec, openTool, serve } from './support/http-tools.ts';

const paths = { '/x': { get: { operationId: 'x', responses: {} } } };

test('a host from arguments is refused on this machine, unless it is allowed', async () => {
  const { url, heard } = await serve();
  const { host } = new URL(url);
  for (const [template, args] of [
    ['${parameters.url}', { url: `${url}/a` }],
    ['http://${parameters.host}/a', { host }],
  ] as const) {
    expect(failureIn(await call(await openTool({ url: template }), args)).message).toMatch(/127\.0\.0\.1/);
    expect(heard).toEqual([]);
    expect(await call(await openTool({ url: template, allowedHosts: [host] }), args)).toBe('ok');
    expect(heard.splice(0)).toMatchObject([{ target: '/a' }]);
  }
});

test('an argument for a host is a host', async () => {
  const tool = await openTool({ url: 'http://${parameters.host}/a' });
  for (const host of ['a.example/b', 'user@a.example', 'a?b', 'a#b', 'a\\b', ''])
    expect(failureIn(await call(tool, { host })).code).toBe('tool-arguments-invalid');
});

test('an argument for an address is an address of the web', async () => {
  const tool = await openTool({ url: '${parameters.url}' });
  for (const url of ['file:///etc/hosts', 'nonsense', 'http://user:pass@a.example/', ''])
    expect(failureIn(await call(tool, { url })).code).toBe('tool-arguments-invalid');
});

test('a redirect to another door of this machine is refused', async () => {
  const inner = await serve();
  const { url } = await serve((_, response) => response.writeHead(302, { location: `${inner.url}/secret` }).end());
  failureIn(await call(await openTool({ url })));
  expect(inner.heard).toEqual([]);
});

test('a redirect on the same host is followed', async () => {
  const { url } = await serve(({ target }, response) =>
    target === '/' ? response.writeHead(302, { location: '/there' }).end() : response.end(target),
  );
  expect(await call(await openTool({ url }))).toBe('/there');
});

test('a server that a document names is not named by the configuration', async () => {
  const { url, heard } = await serve();
  const document = {
    servers: [{ url: 'http://{host}/v2', variables: { host: { default: new URL(url).host } } }],
    paths,
  };
  const { tools } = await openSpec(document);
  expect(failureIn(await call(tools[0])).message).toMatch(/127\.0\.0\.1/);
  expect(heard).toEqual([]);
  const allowed = await openSpec(document, { config: { allowedHosts: [new URL(url).host] } });
  expect(await call(allowed.tools[0])).toBe('ok');
  const based = await openSpec(document, { config: { baseUrl: `${url}/base/` } });
  expect(await call(based.tools[0])).toBe('ok');
  expect(heard.map(({ target }) => target)).toEqual(['/v2/x', '/base/x']);
});

test('who calls is said to servers on this machine', async () => {
  const { url, heard } = await serve();
  await call(await openTool({ url }), {}, { callPath: 'boss:worker' });
  expect(heard[0]?.headers).toMatchObject({ 'x-ai-agent-depth': '2', 'x-ai-agent-ancestry': 'boss:worker' });
});
