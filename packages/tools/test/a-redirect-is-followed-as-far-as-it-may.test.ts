// Redirects: five at most, each of them checked, with less in the hand when they lead to somebody else.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Outbound } from '../src/outbound/outbound.ts';
import { type Hop, nextHop } from '../src/outbound/redirects.ts';
import { refusalIn } from '../src/outbound/refusal.ts';
import { type HttpRequest, type HttpServer, serveHttp } from './support/http-server.ts';

let first: HttpServer;
let second: HttpServer;
let outbound: Outbound;
let count = 0;

beforeAll(async () => {
  second = await serveHttp();
  // `/302?to=…` redirects there; `/again` redirects to itself until it was asked often enough; the rest says ok.
  first = await serveHttp(({ path }, response) => {
    const url = new URL(path, 'http://first');
    const status = Number(url.pathname.slice(1));
    if (url.pathname === '/again' && count-- > 0) response.writeHead(302, { location: '/again' }).end('on');
    else if (status > 0) response.writeHead(status, locationOf(url)).end('elsewhere');
    else response.end('ok');
  });
  outbound = new Outbound({ named: [first.host, second.host] });
});

afterAll(async () => {
  await outbound.close();
  await first.close();
  await second.close();
});

beforeEach(() => {
  count = 0;
});

function locationOf(url: URL): Record<string, string> {
  const location = url.searchParams.get('to');
  return location === null ? {} : { location };
}

const redirect = (status: number, to: string) => `${first.origin}/${status}?to=${encodeURIComponent(to)}`;
const last = (server: HttpServer) => server.requests.at(-1) as HttpRequest;
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe('the method and the body', () => {
  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', 'text'],
    [307, 'POST', 'POST', 'text'],
    [308, 'DELETE', 'DELETE', 'text'],
  ])('%i makes %s a %s', async (status, method, then, body) => {
    const headers = { 'content-type': 'text/x-mine' };
    const answer = await outbound.fetch(redirect(status, '/end'), { method, body: 'text', headers });
    expect(await answer.text()).toBe('ok');
    expect([answer.url, answer.redirected]).toEqual([`${first.origin}/end`, true]);
    expect(last(first)).toMatchObject({ method: then, path: '/end', body });
    expect(last(first).headers['content-type']).toBe(body === '' ? undefined : 'text/x-mine');
  });

  test('HEAD stays HEAD after 303', async () => {
    await outbound.fetch(redirect(303, '/end'), { method: 'HEAD' });
    expect(last(first).method).toBe('HEAD');
  });

  test('a body that was read once is not sent on, and that is said', async () => {
    const body = new Blob(['text']).stream();
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
    expect(await failure(outbound.fetch(redirect(307, '/end'), init))).toMatchObject({
      message: `${first.origin}/307 redirects after a body was sent that cannot be sent again.`,
    });
  });
});

describe('what goes along', () => {
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'id=secret',
    'x-api-key': 'secret',
    accept: 'text/plain',
  };

  test('stays, on the same origin', async () => {
    await outbound.fetch(redirect(302, '/end'), { headers });
    expect(last(first).headers).toMatchObject(headers);
  });

  test('is only what is no key, to another one', async () => {
    await outbound.fetch(redirect(302, `${second.origin}/end`), { headers });
    expect(last(second).headers.accept).toBe('text/plain');
    expect(JSON.stringify(last(second))).not.toContain('secret');
  });
});

describe('a body', () => {
  test.each([
    [307, 'POST'],
    [308, 'PUT'],
    [301, 'PUT'],
  ])('goes to no other origin: %i of %s', async (status, method) => {
    const before = second.requests.length;
    const init = { method, body: '{"api_key":"secret"}' };
    expect(await failure(outbound.fetch(redirect(status, `${second.origin}/end`), init))).toMatchObject({
      message: `${first.origin}/${status} redirects to another host, which would get the body.`,
    });
    expect(second.requests.length).toBe(before);
  });

  test('that is left behind is no reason to stop', async () => {
    const answer = await outbound.fetch(redirect(303, `${second.origin}/end`), { method: 'POST', body: 'secret' });
    expect([answer.status, last(second).method, last(second).body]).toEqual([200, 'GET', '']);
  });
});

describe('an end', () => {
  test('comes after five', async () => {
    count = 5;
    expect((await outbound.fetch(`${first.origin}/again`)).status).toBe(200);
    count = 6;
    const before = first.requests.length;
    expect(await failure(outbound.fetch(`${first.origin}/again`))).toMatchObject({
      message: `${first.origin}/again redirects more than 5 times.`,
    });
    expect(first.requests.length - before).toBe(6);
  });

  test.each([
    ['http://169.254.169.254/latest', 'it is a link-local address'],
    ['http://localhost/', 'a loopback address'],
    ['file:///etc/passwd', 'only http and https are'],
    ['http://me:hunter2@127.0.0.1/', 'a name and a password'],
  ])('is a redirect to %s', async (to, reason) => {
    const error = await failure(outbound.fetch(redirect(302, to)));
    expect(error).toBeInstanceOf(TypeError);
    expect(refusalIn(error)?.message).toContain(reason);
    expect(refusalIn(error)?.message).not.toContain('hunter2');
  });

  test('is an address that cannot be read', async () => {
    const error = await failure(outbound.fetch(redirect(302, 'http://[')));
    expect(error).toMatchObject({ message: `${first.origin}/302 redirects to an address that cannot be read.` });
  });

  test('is a redirect from https to plain http', () => {
    const hop: Hop = { url: new URL('https://a.example/x?key=1'), method: 'GET', headers: new Headers(), body: null };
    const answer = { status: 302, headers: new Headers({ location: 'http://a.example/y?key=1' }) };
    expect(() => nextHop(hop, answer)).toThrow(
      'http://a.example/y is not allowed: https://a.example/x redirects there, from https to plain http.',
    );
  });
});

describe('a caller', () => {
  test('who follows by itself gets the redirect', async () => {
    const answer = await outbound.fetch(redirect(302, '/end'), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/end']);
  });

  test('who wants none gets an error', async () => {
    const before = first.requests.length;
    expect(await failure(outbound.fetch(redirect(302, '/end'), { redirect: 'error' }))).toBeInstanceOf(TypeError);
    expect(first.requests.length - before).toBe(1);
  });

  test('gets a redirect to nowhere as it is', async () => {
    expect((await outbound.fetch(`${first.origin}/302`)).status).toBe(302);
  });
});
