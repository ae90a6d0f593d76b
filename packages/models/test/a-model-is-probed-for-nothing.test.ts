// The promise: a probe answers every question, within its time, asks each provider once, sends nothing but GET and never rejects.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTransport, type ModelQuestion, probeModels } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';

type Answer = (path: string) => { readonly status?: number; readonly body: unknown } | undefined;

/** Says nothing where it has no answer. */
async function serve(answer: Answer) {
  const asked: string[] = [];
  const server = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    const said = answer(url);
    if (said) response.writeHead(said.status ?? 200).end(JSON.stringify(said.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const question = (url: string, model = 'm', more: object = {}): ModelQuestion => ({
  provider: 'p',
  model,
  config: { type: 'openai-compatible', baseUrl: url, ...more },
  env: {},
});

const list = (...ids: readonly string[]) => ({ body: { data: ids.map((id) => ({ id })) } });

test('who never answers is given up in time', async () => {
  const { url } = await serve(() => undefined);
  const [probed] = await probeModels([question(url)], { timeoutMs: 100 });
  expect(probed).toMatchObject({
    status: 'failed',
    failure: { code: 'model-timeout', message: expect.stringContaining(url) },
  });
  expect(probed?.ms).toBeLessThan(2_000);
});

test('one that is in no list may be described', async () => {
  const { url, asked } = await serve((path) => {
    if (path === '/models') return list('m');
    return path === '/models/alias' ? { body: { id: 'm' } } : { status: 404, body: {} };
  });
  const probed = await probeModels([question(url, 'alias'), question(url, 'other')]);
  expect(probed).toMatchObject([{ status: 'ok' }, { status: 'failed', failure: { code: 'model-unknown' } }]);
  expect(asked).toEqual(['GET /models', 'GET /models/alias', 'GET /models/other']);
});

test.each([
  [400, 'failed', 'model-unknown'],
  [404, 'failed', 'model-unknown'],
  [200, 'failed', 'model-unknown'],
  [403, 'unknown', 'model-auth'],
  [429, 'unknown', 'model-rate-limit'],
  [500, 'unknown', 'model-unavailable'],
  [undefined, 'unknown', 'model-timeout'],
] as const)('one that is in no list, and is described with %s, is %s', async (status, verdict, code) => {
  const { url } = await serve((path) => {
    if (path === '/models') return list('m');
    return status && { status, body: status === 200 ? {} : { error: { message: 'Not so' } } };
  });
  const probed = await probeModels([question(url, 'other')], { timeoutMs: 300 });
  expect(probed).toMatchObject([{ status: verdict, failure: { code } }]);
});

test('a list of any length is read, and searched as fast', async () => {
  const data = Array.from({ length: 600_000 }, (_, i) => ({ id: `model-number-${i}` }));
  const { url } = await serve((path) => {
    if (path.startsWith('/models?')) return { body: { data } };
    return { status: 404, body: {} };
  });
  const of = (model: string) => ({ ...question(url, model), config: { type: 'anthropic', baseUrl: url } as const });
  const probed = await probeModels([of('model-number-199999'), of('model-number-2x')]);
  expect(probed).toMatchObject([{ status: 'ok' }, { status: 'failed', failure: { code: 'model-unknown' } }]);
  expect(probed[1]?.failure?.message).toContain('did you mean model-number-2');
  // To look for names that are like it takes no longer than to read them all.
  expect(probed[1]?.ms).toBeLessThan(2 * (probed[0]?.ms ?? 0));
});

test('the same provider is asked once, another key asks for itself', async () => {
  const { url, asked } = await serve(() => list('a', 'b'));
  const questions = [question(url, 'a'), question(url, 'b'), question(url, 'a', { apiKey: 'another-key-1' })];
  expect((await probeModels(questions)).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect(asked).toEqual(['GET /models', 'GET /models']);
});

test('the query of an address goes along, and is not shown', async () => {
  const { url, asked } = await serve(() => ({ status: 500, body: { error: { message: 'bad secret-in-query' } } }));
  const [probed] = await probeModels([question(`${url}/v1?key=secret-in-query`)]);
  expect(asked).toEqual(['GET /v1/models?key=secret-in-query']);
  expect(probed).toMatchObject({ status: 'unknown', failure: { message: 'p/m: bad ***', status: 500 } });
});

test('a query is asked with as it was written, whatever is added to it', async () => {
  const { url, asked } = await serve(() => ({ body: { models: [{ name: 'models/m' }] } }));
  const config = { type: 'google', baseUrl: `${url}/v1?key=a~b+(c)%20d` } as const;
  expect(await probeModels([{ ...question(url), config }])).toMatchObject([{ status: 'ok' }]);
  expect(asked).toEqual(['GET /v1/models?key=a~b+(c)%20d&pageSize=1000']);
});

test('a key that is listed as a model is not shown', async () => {
  const apiKey = 'sk-listed-secret-1234';
  const { url } = await serve((path) => (path === '/models' ? list(apiKey, 'b') : { status: 404, body: {} }));
  const probed = await probeModels([
    question(url, 'sk-listed-secret-1235', { apiKey }),
    question(url, 'far-from-it', { apiKey }),
  ]);
  expect(probed.map(({ failure }) => failure?.message)).toEqual([
    'p/sk-listed-secret-1235: p has no model sk-listed-secret-1235; did you mean ***?',
    'p/far-from-it: p has no model far-from-it; it has ***, b',
  ]);
});

test.each([
  ['nobody answers', () => undefined],
  ['there is no list', () => ({ status: 404, body: {} })],
  ['the list is none', () => ({ body: {} })],
] satisfies [string, Answer][])('a key in the path is not shown where %s', async (_, answer) => {
  const { url } = await serve(answer);
  const asked = { ...question(`${url}/$\{MY_KEY}/v1`), env: { MY_KEY: 'secret-in-path' } };
  const [probed] = await probeModels([asked], { timeoutMs: 100 });
  expect(probed?.failure?.message).toContain(`${url}/***/v1`);
  expect(JSON.stringify(probed)).not.toContain('secret-in-path');
});

test('a set-up that cannot be filled in fails without asking, and the others are asked', async () => {
  const { url, asked } = await serve(() => list('m'));
  const broken = question(url, 'm', { apiKey: '$'.concat('{NOBODY_SET_THIS}') });
  expect(await probeModels([broken, question('no address'), question(url)])).toMatchObject([
    { status: 'failed', failure: { code: 'secret-missing' } },
    { status: 'failed', failure: { code: 'model-unknown' } },
    { status: 'ok' },
  ]);
  expect(asked).toEqual(['GET /models']);
});

test('pages without an end are not followed for ever', async () => {
  const { url, asked } = await serve(() => ({ body: { data: [{ id: 'x' }], has_more: true, last_id: 'x' } }));
  const [probed] = await probeModels([{ ...question(url), config: { type: 'anthropic', baseUrl: url } }]);
  expect(probed).toMatchObject({ status: 'failed', failure: { code: 'model-unknown' } });
  expect(asked.length).toBeLessThan(30);
});

test('names that are none are not repeated to anybody', async () => {
  const { url } = await serve(() => list('m1\u001b[2J', 'm 2', 'm3', 'x'.repeat(500)));
  const [probed] = await probeModels([question(url, 'm')]);
  expect(probed?.failure?.message).toBe('p/m: p has no model m; did you mean m3?');
});

test('a transport that is handed in stays open', async () => {
  const transport = createTransport();
  const { url } = await serve(() => list('m'));
  await probeModels([question(url)], { transport });
  expect(await probeModels([question(url)], { transport })).toMatchObject([{ status: 'ok' }]);
  transport.close();
});

test('nothing is asked when there is no question', async () => {
  expect(await probeModels([])).toEqual([]);
});
