// The promise: files of the page are given to anybody, in the shortest form that is taken, and once; nothing else is among them, and what is asked of agents goes past them.

import { type Agent, AgentError } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { createApi, hashOf } from '../src/embedding/index.ts';
import type { Site, SiteFile } from '../src/index.ts';

const echo: Agent = { name: 'echo', instructions: 'Echo.', model: scriptedModel(() => 'Good morning.') };

const bytes = (text: string) => async () => new TextEncoder().encode(text);

function fileOf(contentType: string): SiteFile {
  return {
    contentType,
    etag: '"one"',
    encodings: { br: bytes('in br'), gzip: bytes('in gzip'), identity: bytes('as it is') },
  };
}

const files: Readonly<Record<string, SiteFile>> = {
  'index.html': fileOf('text/html; charset=utf-8'),
  'diagram.html': fileOf('text/html; charset=utf-8'),
  'widget.js': fileOf('text/javascript; charset=utf-8'),
  'assets/index-Xemju_CY.js': fileOf('text/javascript; charset=utf-8'),
  'assets/inter.woff2': { contentType: 'font/woff2', etag: '"two"', encodings: { identity: bytes('font') } },
};

function open(options: { readonly page?: boolean; readonly site?: Site } = {}) {
  const site: Site = { read: async (path) => (Object.hasOwn(files, path) ? files[path] : undefined) };
  const keys = { one: { hash: hashOf('secret') } };
  const { fetch: answer } = createApi({ agents: [echo], ports: fakePorts(), keys, site, ...options });
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    answer(new Request(`http://127.0.0.1${path}`, { method, headers }));
}

test.each([
  ['', 'as it is'],
  ['gzip, deflate, br, zstd', 'in br'],
  ['gzip', 'in gzip'],
  ['BR', 'in br'],
  ['br;q=0, gzip', 'in gzip'],
  ['br;q=0 , gzip', 'in gzip'],
  ['br; q=0.000,gzip;q=0.0', 'as it is'],
  ['br;q=0.1', 'in br'],
  ['brotli, gzip-x', 'as it is'],
])('to who takes "%s": %s', async (accepted, text) => {
  const reply = await open()('/', { 'accept-encoding': accepted });
  expect([reply.status, await reply.text()]).toEqual([200, text]);
  expect(reply.headers.get('content-encoding') ?? 'as it is').toBe(text.replace('in ', ''));
  expect([reply.headers.get('vary'), reply.headers.get('content-length')]).toEqual([
    'accept-encoding',
    String(text.length),
  ]);
});

test('who has it is told so, and who asks what would come gets nothing else', async () => {
  const ask = open();
  for (const known of ['"one"', 'W/"one"', '"zero", "one"', '*']) {
    const reply = await ask('/widget.js', { 'if-none-match': known });
    expect([known, reply.status, await reply.text()]).toEqual([known, 304, '']);
    expect(reply.headers.get('etag')).toBe('"one"');
  }
  expect((await ask('/widget.js', { 'if-none-match': '"zero"' })).status).toBe(200);
  const head = await ask('/', {}, 'HEAD');
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '8']);
});

test('each form has a tag of its own, and who has one form has not the other', async () => {
  const ask = open();
  const accepted = ['', 'gzip', 'br'];
  const tags = await Promise.all(
    accepted.map(async (one) => (await ask('/', { 'accept-encoding': one })).headers.get('etag') ?? ''),
  );
  expect(new Set(tags).size).toBe(accepted.length);
  for (const tag of tags)
    for (const [i, one] of accepted.entries()) {
      const reply = await ask('/', { 'accept-encoding': one, 'if-none-match': `W/${tag}` });
      const { headers, status } = reply;
      expect([status, headers.get('etag'), headers.get('vary')]).toEqual([
        tag === tags[i] ? 304 : 200,
        tags[i],
        'accept-encoding',
      ]);
    }
});

test('only names with a hash are kept for good; only what others load is for their pages', async () => {
  const ask = open();
  const told = async (path: string) => {
    const { headers } = await ask(path);
    return ['cache-control', 'access-control-allow-origin', 'x-frame-options'].map((name) => headers.get(name));
  };
  expect(await told('/assets/index-Xemju_CY.js')).toEqual(['public, max-age=31536000, immutable', '*', null]);
  expect(await told('/assets/inter.woff2')).toEqual(['no-cache', '*', null]);
  expect(await told('/widget.js')).toEqual(['no-cache', '*', null]);
  for (const page of ['/', '/index.html']) expect(await told(page)).toEqual(['no-cache', null, 'DENY']);
  expect((await ask('/diagram.html')).headers.get('content-security-policy')).toContain('sandbox allow-scripts');
});

test.each(['/../package.json', '/assets/../index.html/', '/%2e%2e/package.json', '//index.html', '/assets/', '/x.js'])(
  'nothing is at %s',
  async (path) => {
    expect((await open()(path)).status).toBe(401);
  },
);

test('what is asked of agents goes past them, with a key', async () => {
  const ask = open();
  expect((await ask('/v1/echo?q=hello')).status).toBe(401);
  expect(await (await ask('/v1/echo?q=hello', { 'x-api-key': 'secret' })).text()).toBe('Good morning.');
  const wrong = await ask('/', {}, 'POST');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('who wants no page, or has none, has the one to read', async () => {
  for (const options of [{ page: false }, { site: { read: async () => undefined } }]) {
    const ask = open(options);
    expect(await (await ask('/')).text()).toBe(await (await ask('/docs')).text());
    expect((await ask('/widget.js')).status).toBe(401);
  }
});

test('files that cannot be read cost nobody an answer', async () => {
  const broken: Site = {
    read: () => Promise.reject(new AgentError('internal', 'The folder is gone.')),
  };
  const ask = open({ site: broken });
  expect((await ask('/')).status).toBe(500);
  expect(await (await ask('/v1/echo?q=hello', { 'x-api-key': 'secret' })).text()).toBe('Good morning.');
});
