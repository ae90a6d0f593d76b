// The promise: the token goes to Slack and nowhere else, whatever a file or a redirect says, and what comes is bounded and is the file.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readFiles } from '../src/ask/files.ts';

const token = 'xoxb-secret';

/** Answers by address; keeps who was asked. */
function netOf(answers: Record<string, () => Response | Promise<Response>>) {
  const asked: string[] = [];
  const tokens: (string | null)[] = [];
  const get = async (input: unknown, init?: RequestInit) => {
    asked.push(String(input));
    tokens.push(new Headers(init?.headers).get('authorization'));
    expect(init?.redirect).toBe('manual');
    const answer = answers[String(input)] ?? (() => new Response('gone', { status: 404 }));
    return answer();
  };
  return { asked, tokens, fetch: get as typeof fetch };
}

const png = { name: 'a.png', mimetype: 'image/png', size: 4 };
const read = (files: unknown, net: ReturnType<typeof netOf>, others: object = {}) =>
  readFiles(files, {
    takes: ['image/*', 'text/html'],
    token,
    apiUrl: 'https://slack.com/api/',
    fetch: net.fetch,
    ...others,
  });
const image = () => new Response('data', { headers: { 'content-type': 'image/png' } });
const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });

test.each([
  'https://slack.com/files/a',
  'https://files.slack.com/files-pri/T1-F1/a.png',
  'https://eu.slack-files.com/a',
])('from %s, with the token', async (url) => {
  const net = netOf({ [url]: image });
  expect((await read([{ ...png, url_private: url }], net)).attachments).toEqual([
    { type: 'file', mediaType: 'image/png', data: 'ZGF0YQ==', name: 'a.png' },
  ]);
  expect(net.tokens).toEqual([`Bearer ${token}`]);
});

test.each([
  'https://evil.example/a.png',
  'http://files.slack.com/a.png',
  'https://files.slack.com.evil.example/a.png',
  'https://files.slack.com@evil.example/a.png',
  'https://evilslack.com/a.png',
  'https://evil-slack-files.com/a.png',
  'https://files.slack.com:8443/a.png',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  '//evil.example',
  'not an address',
])('not from %s', async (url) => {
  const net = netOf({ [url]: image });
  const { attachments, notes } = await read([{ ...png, url_private_download: url }], net);
  expect([net.asked, attachments]).toEqual([[], []]);
  expect(notes).toEqual(['a.png (image/png, 4 bytes) came with it and cannot be read: it is not kept by Slack.']);
});

test('from the origin of an address that was set, and only there', async () => {
  const url = 'http://127.0.0.1:9/files/a.png';
  const net = netOf({ [url]: image });
  const apiUrl = 'http://127.0.0.1:9/api/';
  expect((await read([{ ...png, url_private: url }], net, { apiUrl })).attachments).toHaveLength(1);
  const other = { ...png, url_private: 'http://127.0.0.1:8/a.png' };
  expect((await read([other], net, { apiUrl })).attachments).toEqual([]);
  expect(net.asked).toHaveLength(1);
});

test('a redirect is followed inside Slack, not to others, and not for ever', async () => {
  const [one, two, loop] = ['one', 'two', 'loop'].map((name) => `https://files.slack.com/${name}`) as [
    string,
    string,
    string,
  ];
  const inside = netOf({ [one]: to('/two'), [two]: image });
  expect((await read([{ ...png, url_private: one }], inside)).attachments).toHaveLength(1);
  const outside = netOf({ [one]: to('https://evil.example/'), 'https://evil.example/': image });
  expect(await read([{ ...png, url_private: one }], outside)).toMatchObject({
    attachments: [],
    notes: [expect.stringContaining('not kept by Slack')],
  });
  expect(outside.asked).toEqual([one]);
  const ring = netOf({ [loop]: to(loop) });
  expect((await read([{ ...png, url_private: loop }], ring)).notes).toEqual([
    expect.stringContaining('could not be fetched'),
  ]);
  expect(ring.asked).toHaveLength(4);
});

test('a page to sign in is no file: it says which scope is missing', async () => {
  const url = 'https://files.slack.com/a';
  const page = () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  const html = { name: 'a.html', mimetype: 'text/html', size: 999 };
  const missing = [expect.stringContaining('files:read')];
  for (const file of [png, html])
    expect((await read([{ ...file, url_private: url }], netOf({ [url]: page }))).notes).toEqual(missing);
  const login = 'https://team.slack.com/?redir=%2Ffiles-pri%2Fa';
  const net = netOf({ [url]: to(login) });
  expect((await read([{ ...png, url_private: url }], net)).notes).toEqual(missing);
  expect(net.asked).toEqual([url]);
  const denied = netOf({ [url]: () => new Response('no', { status: 403 }) });
  expect((await read([{ ...png, url_private: url }], denied)).notes).toEqual(missing);
  // A page that somebody uploaded is a file.
  const own = { ...html, size: '<html>Sign in</html>'.length, url_private: url };
  expect((await read([own], netOf({ [url]: page }))).attachments).toHaveLength(1);
});

test('what is larger than it says is cut off; what hangs or breaks is a note without the token', async () => {
  const url = 'https://files.slack.com/a';
  let given = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 1_000_000;
      controller.enqueue(new Uint8Array(1_000_000));
    },
  });
  const large = netOf({ [url]: () => new Response(endless) });
  expect((await read([{ ...png, url_private: url }], large)).notes).toEqual([
    expect.stringContaining('20 MB are the most'),
  ]);
  expect(given).toBeLessThan(25_000_000);
  const broken = netOf({ [url]: () => Promise.reject(new TypeError(`failed with ${token}`)) });
  const { notes } = await read([{ ...png, url_private: url }], broken);
  expect(notes).toEqual(['a.png (image/png, 4 bytes) came with it and could not be fetched from Slack.']);
  const hanging = ((_: unknown, init: RequestInit) =>
    new Promise((_resolve, reject) =>
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )) as typeof fetch;
  const bounded = await read([{ ...png, url_private: url }], { ...netOf({}), fetch: hanging }, { timeoutMs: 20 });
  expect(bounded.notes).toEqual([expect.stringContaining('could not be fetched')]);
});

test('over real sockets the token stays where it was sent', async () => {
  const heard: (string | undefined)[] = [];
  const thief = await listen((request, response) => {
    heard.push(request.headers.authorization);
    response.end('stolen');
  });
  const slack = await listen((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `${thief}/take` }).end();
    else if (request.url === '/moved') response.writeHead(307, { location: '/a.png' }).end('moved');
    else response.writeHead(200, { 'content-type': 'image/png' }).end(request.headers.authorization);
  });
  const files = ['/away', '/moved'].map((path) => ({ ...png, url_private: `${slack}${path}` }));
  const { attachments, notes } = await readFiles(files, { takes: ['image/*'], token, apiUrl: `${slack}/api/` });
  expect(heard).toEqual([]);
  expect(notes).toEqual([expect.stringContaining('not kept by Slack')]);
  expect(attachments.map(({ data }) => Buffer.from(data, 'base64').toString())).toEqual([`Bearer ${token}`]);
});

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
