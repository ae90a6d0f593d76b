// The promise: embedders get a function from requests to responses and a server around it, with the same door as the command.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type Agent, AgentError } from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Api,
  type ApiOptions,
  createApi,
  hashOf,
  type ServeOptions,
  serveAgents,
} from '../src/embedding/index.ts';

const echo: Agent = { name: 'echo', instructions: 'Echo.', model: scriptedModel(() => 'Good morning to you.') };

function api(options: Partial<ApiOptions> = {}): Api {
  return createApi({ agents: [echo], ...options, ports: fakePorts() });
}

async function serve(options: Partial<ServeOptions> = {}) {
  const served = await serveAgents({ agents: [echo], port: 0, ...options, ports: fakePorts() });
  onTestFinished(() => served.stop(0));
  return served;
}

const ask = (path = '/v1/echo', headers: Record<string, string> = {}) =>
  new Request(`http://127.0.0.1${path}?q=hello`, { headers });

test('a function that needs nothing around it', async () => {
  const { fetch: answer } = api();
  expect(await (await answer(ask())).text()).toBe('Good morning to you.');
});

test('mounted below a path of somebody else', async () => {
  const app = new Hono().mount('/agents', api().fetch);
  expect(await (await app.fetch(ask('/agents/v1/echo'))).text()).toBe('Good morning to you.');
  expect((await app.fetch(ask('/agents/v1/nobody'))).status).toBe(404);
});

test('below such a path the page and the document are found, and lead to what is there', async () => {
  const app = new Hono().mount('/agents', api().fetch);
  const read = (path: string) => app.fetch(new Request(`http://127.0.0.1${path}`));
  for (const path of ['/agents', '/agents/', '/agents/docs'])
    expect([path, (await read(path)).status]).toEqual([path, 200]);
  const { servers, paths } = (await (await read('/agents/openapi.json')).json()) as Document;
  const home = new URL(servers[0]?.url ?? '', 'http://127.0.0.1/agents/openapi.json').pathname;
  expect(home).toBe('/agents/');
  expect(Object.keys(paths)).toContain('/v1/echo');
});

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: object;
}

test('without keys it answers to its own names alone, also where no header says for whom a request is', async () => {
  const named = (host: string) => new Request(`http://${host}/v1/echo?q=hello`);
  const { fetch: answer } = api({ hosts: ['agents.example'] });
  expect((await answer(named('elsewhere.example'))).status).toBe(403);
  for (const host of ['agents.example', 'localhost:8080', '[::1]:8080'])
    expect((await answer(named(host))).status).toBe(200);
});

test('behind a server of somebody else', async () => {
  const { fetch: answer } = api();
  const server = createServer(async ({ url, headers }, outgoing) => {
    const response = await answer(new Request(`http://127.0.0.1${url}`, { headers: { host: headers.host ?? '' } }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    Readable.fromWeb(response.body as ReadableStream).pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/echo?q=hello`);
  expect(await response.text()).toBe('Good morning to you.');
});

test('agents from files and in code, those of now', async () => {
  let agents: ApiOptions['agents'] = [{ name: 'from-a-file', agent: echo }];
  const { fetch: answer } = api({ agents: () => agents as readonly Agent[] });
  const namesNow = async () => {
    const listed = (await (await answer(new Request('http://127.0.0.1/v1'))).json()) as { agents: { name: string }[] };
    return listed.agents.map(({ name }) => name);
  };
  expect(await namesNow()).toEqual(['from-a-file']);
  agents = [{ ...echo, toolName: 'in-code' }];
  expect(await namesNow()).toEqual(['in-code']);
});

test('keys are asked for, and a key has its agents', async () => {
  const keys = { website: { hash: hashOf('a-long-and-random-key'), agents: ['other'] } };
  const { fetch: answer } = api({ keys });
  const bearer = { authorization: 'Bearer a-long-and-random-key' };
  expect((await answer(ask())).status).toBe(401);
  expect((await answer(ask('/v1/echo', bearer))).status).toBe(403);
});

test.each([
  ['name-reserved', { agents: [{ ...echo, name: 'sessions' }] }],
  ['name-taken', { agents: [echo, { ...echo }] }],
  ['config-invalid', { cors: ['*'] }],
  ['config-invalid', { keys: { website: { hash: 'a-long-and-random-key' } } }],
  ['config-invalid', { keys: { website: { hash: hashOf('a'), agent: ['echo'] } } }],
])('%s is thrown before anybody asks', (code, options) => {
  expect(() => api(options)).toThrow(expect.objectContaining({ code }));
});

test.each([
  ['key is not known; did you mean keys?', { key: {} }],
  ['concurrency must be a whole number from 1.', { concurrency: 0 }],
  ['waiting must be a whole number from 0.', { waiting: -1 }],
  ['maxBodyBytes must be a whole number from 1.', { maxBodyBytes: '1mb' }],
  ['showActivity must be true or false.', { showActivity: 'yes' }],
  ['agents must be a list of agents, or a function that gives one.', { agents: 'echo' }],
  ['agents must be a list of agents, or a function that gives one.', { agents: undefined }],
  ['agents is empty, so there is nobody to ask.', { agents: [] }],
  ['hosts must be a list of texts.', { hosts: 'agents.example' }],
  ['port is not known; did you mean ports?', { port: 8080 }],
])('%s', (message, options) => {
  expect(() => api(options as object)).toThrow(`What is to be served: ${message}`);
});

test('a port is one', async () => {
  await expect(serve({ port: 65_536 })).rejects.toThrow('port must be a whole number from 0 to 65535.');
  await expect(serve({ host: '' })).rejects.toThrow('host must be text.');
});

test('whatever is thrown inside, a response comes out', async () => {
  const bugs: unknown[] = [];
  const agents = () => {
    throw 'not even an error';
  };
  const { fetch: answer } = api({ agents, onBug: (error) => bugs.push(error) });
  const response = await answer(ask());
  expect([response.status, bugs]).toEqual([500, ['not even an error']]);
  expect(await response.json()).toMatchObject({ error: { code: 'internal' } });
});

const chat = (content: string, more: object = {}) =>
  new Request('http://127.0.0.1/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'echo', messages: [{ role: 'user', content }], ...more }),
    headers: { 'content-type': 'application/json' },
  });
const messages = (content: string) =>
  new Request('http://127.0.0.1/v1/messages', {
    method: 'POST',
    body: JSON.stringify({ model: 'echo', max_tokens: 100, messages: [{ role: 'user', content }] }),
    headers: { 'content-type': 'application/json' },
  });

test('its agents are models too', async () => {
  const { fetch: answer } = api();
  expect(await (await answer(new Request('http://127.0.0.1/v1/models'))).json()).toMatchObject({
    data: [{ id: 'echo' }],
  });
  const said = 'Good morning to you.';
  expect(await (await answer(chat('hello'))).json()).toMatchObject({ choices: [{ message: { content: said } }] });
  expect(await (await answer(messages('hello'))).json()).toMatchObject({ content: [{ type: 'text', text: said }] });
});

test('whoever takes an agent for a model may say more at once, unless somebody bounds it', async () => {
  const long = 'x'.repeat(2 * 1024 * 1024);
  const ask = (body: string) => new Request('http://127.0.0.1/v1/echo', { method: 'POST', body });
  const statuses = async ({ fetch: answer }: Api, text: string) => {
    const replies = await Promise.all([ask(text), chat(text), messages(text)].map(answer));
    return replies.map(({ status }) => status);
  };
  expect(await statuses(api(), long)).toEqual([413, 200, 200]);
  expect(await statuses(api({ maxBodyBytes: 4 * 1024 * 1024 }), long)).toEqual([200, 200, 200]);
  expect(await statuses(api({ maxBodyBytes: 200 }), 'x'.repeat(200))).toEqual([200, 413, 413]);
});

test('each way in has places of its own', async () => {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const slow: Agent = { ...echo, model: scriptedModel(() => ({ text: 'done', until })) };
  const { fetch: answer } = api({ agents: [slow], concurrency: 1, waiting: 0 });
  const first = [ask(), chat('hello'), messages('hello')].map(answer);
  const second = await Promise.all([ask(), chat('hello'), messages('hello')].map(answer));
  expect(second.map(({ status }) => status)).toEqual([503, 503, 529]);
  letGo();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a body has a bound', async () => {
  const { fetch: answer } = api({ maxBodyBytes: 10 });
  const request = new Request('http://127.0.0.1/v1/echo', { method: 'POST', body: 'eleven long' });
  expect((await answer(request)).status).toBe(413);
});

test('strangers are let in only by keys, or by who says so', async () => {
  const refused = await serve({ host: '0.0.0.0' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AgentError);
  expect(refused).toMatchObject({ code: 'config-invalid', remedy: expect.stringContaining('isOpen') });
  const open = await serve({ host: '0.0.0.0', isOpen: true });
  expect((await fetch(`http://127.0.0.1:${open.port}/v1/echo?q=hello`)).status).toBe(200);
  const locked = await serve({ host: '0.0.0.0', keys: { a: { hash: hashOf('a-long-and-random-key') } } });
  expect((await fetch(`http://127.0.0.1:${locked.port}/v1/echo?q=hello`)).status).toBe(401);
});

test('a port that is taken is said', async () => {
  const { port } = await serve();
  await expect(serve({ port })).rejects.toMatchObject({ code: 'listen-refused' });
});

test('an end: what runs has its time, what comes is turned away, the port is free', async () => {
  const clock = new FakeClock();
  const slow = { ...echo, model: scriptedModel([{ text: 'Done.', latencyMs: 60_000 }], { clock }) };
  const served = await serveAgents({ agents: [slow], port: 0, ports: fakePorts({ clock }) });
  const answer = fetch(`${served.url}/v1/echo?q=hello`);
  await expect.poll(() => clock.timers).toBeGreaterThan(1);
  const stopped = served.stop(120_000);
  expect((await fetch(`${served.url}/v1/echo?q=hello`)).status).toBe(503);
  clock.advance(60_000);
  expect(await (await answer).text()).toBe('Done.');
  await stopped;
  await expect(fetch(served.url)).rejects.toThrow();
});
