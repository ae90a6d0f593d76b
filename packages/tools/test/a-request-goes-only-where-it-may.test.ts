// Addresses of this machine and of networks around it are for hosts that a configuration names, however they are spelled.

import { WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publicOnly } from '../src/outbound/connector.ts';
import { watchHandshake } from '../src/outbound/handshake.ts';
import { Outbound, type OutboundOptions } from '../src/outbound/outbound.ts';
import { refusalIn } from '../src/outbound/refusal.ts';
import { fixedLookup } from './support/fixed-lookup.ts';
import { type HttpServer, serveHttp } from './support/http-server.ts';

let server: HttpServer;
beforeAll(async () => {
  server = await serveHttp();
});
afterAll(() => server.close());

const opened: Outbound[] = [];
afterEach(async () => {
  for (const outbound of opened.splice(0)) await outbound.close();
});

function open(options: Partial<OutboundOptions> = {}): Outbound {
  const outbound = new Outbound({ named: [], ...options });
  opened.push(outbound);
  return outbound;
}

async function refused(outbound: Outbound, url: string) {
  const before = server.requests.length;
  const error = await outbound.fetch(url).then(
    (answer) => `answered with ${answer.status}`,
    (error: unknown) => error,
  );
  expect(server.requests.length).toBe(before);
  expect(error).toBeInstanceOf(TypeError);
  return refusalIn(error);
}

describe('an address that is written', () => {
  test.each([
    ['127.0.0.1', 'a loopback address'],
    ['0x7f.1', 'a loopback address'],
    ['2130706433', 'a loopback address'],
    ['127.1', 'a loopback address'],
    ['0177.0.0.1', 'a loopback address'],
    ['[::1]', 'a loopback address'],
    ['[::ffff:127.0.0.1]', 'a loopback address'],
    ['[::ffff:7f00:1]', 'a loopback address'],
    ['[::127.0.0.1]', 'a reserved address'],
    ['[64:ff9b::7f00:1]', 'a loopback address'],
    ['[2002:7f00:1::]', 'a loopback address'],
    ['0.0.0.0', 'an unspecified address'],
    ['[::]', 'an unspecified address'],
  ])('is refused as %s', async (host, kind) => {
    const refusal = await refused(open(), `http://${host}:${server.port}/path?key=secret`);
    expect(refusal?.message).toContain(`is not allowed: it is ${kind}.`);
    expect(refusal?.message).not.toContain('secret');
    expect(refusal).toMatchObject({ code: 'tool-failed', class: 'tool' });
  });

  test('says what it is, and how to allow it', async () => {
    const refusal = await refused(open(), 'http://169.254.169.254/latest/meta-data');
    expect(refusal?.message).toBe('http://169.254.169.254/ is not allowed: it is a link-local address.');
    expect(refusal?.remedy).toBe(
      'Name the host in the configuration of this tool if it is meant: allowedHosts: ["169.254.169.254"].',
    );
  });

  test('that is named for another port says so', async () => {
    const url = `http://127.0.0.1:${server.port}/`;
    const usual = await refused(open({ named: ['127.0.0.1'] }), url);
    const where = `${url} is not allowed: it is a loopback address`;
    expect(usual?.message).toBe(`${where}; 127.0.0.1 is named for ports 80 and 443 only.`);
    expect((await refused(open({ named: ['127.0.0.1:81'] }), url))?.message).toContain('is named for port 81 only.');
    expect((await open({ named: ['127.0.0.1:*'] }).fetch(url)).status).toBe(200);
  });

  test('is reached when it is named, with its port', async () => {
    const outbound = open({ named: [`http://127.0.0.1:${server.port}/v1`] });
    expect(await (await outbound.fetch(`http://2130706433:${server.port}/`)).text()).toBe('ok');
    expect(await refused(outbound, `http://localhost:${server.port}/`)).toBeDefined();
    expect(await refused(outbound, 'http://127.0.0.1:80/')).toBeDefined();
  });
});

describe('a host name', () => {
  test('that leads here is refused, and reached when it is named', async () => {
    const { lookup } = fixedLookup({ 'public.example': [['127.0.0.1']] });
    const url = `http://public.example:${server.port}/`;
    const refusal = await refused(open({ lookup }), url);
    expect(refusal?.message).toBe(`${url} is not allowed: public.example is at 127.0.0.1, a loopback address.`);
    expect(refusal?.remedy).toContain(`allowedHosts: ["public.example:${server.port}"]`);
    const named = open({ lookup, named: [`Public.Example.:${server.port}`] });
    expect((await named.fetch(url)).status).toBe(200);
  });

  test('is refused when one of its addresses is of here', async () => {
    const { lookup } = fixedLookup({ 'public.example': [['8.8.8.8', '10.0.0.1']] });
    const refusal = await refused(open({ lookup }), `http://public.example:${server.port}/`);
    expect(refusal?.message).toContain('public.example is at 10.0.0.1, a private address');
  });

  test('is looked up once for each connection, and what was looked at is what is connected to', async () => {
    const { lookup, asked } = fixedLookup({ 'public.example': [['8.8.8.8'], ['127.0.0.1']] });
    const answers: unknown[] = [];
    const guarded = publicOnly(lookup);
    const ask = () =>
      new Promise<void>((resolve) =>
        guarded('public.example', { all: true }, (error, addresses) => {
          answers.push(error ?? addresses);
          resolve();
        }),
      );
    await ask();
    expect(answers).toEqual([[{ address: '8.8.8.8', family: 4 }]]);
    expect(asked).toHaveLength(1);
    await ask();
    expect(answers[1]).toBeInstanceOf(Error);
  });

  test('that leads elsewhere later is refused then', async () => {
    const { lookup, asked } = fixedLookup({ 'public.example': [['10.0.0.1'], ['127.0.0.1']] });
    const outbound = open({ lookup });
    const url = `http://public.example:${server.port}/`;
    expect((await refused(outbound, url))?.message).toContain('10.0.0.1');
    expect((await refused(outbound, url))?.message).toContain('127.0.0.1');
    expect(asked).toHaveLength(2);
  });
});

test.each([
  'file:///etc/passwd',
  'data:text/plain,hello',
  'ftp://public.example/',
  'blob:nodedata:1',
  'ws://127.0.0.1/',
])('%s is no web address', async (url) => {
  const refusal = await refused(open({ named: ['127.0.0.1', 'public.example'] }), url);
  expect(refusal?.message).toContain('only http and https are');
});

test('a password in an address is refused, and not repeated', async () => {
  const refusal = await refused(open({ named: [server.host] }), `http://me:hunter2@${server.host}/`);
  expect(refusal?.message).toBe(
    `${server.origin}/ is not allowed: a name and a password are written into the address.`,
  );
});

test('an address that cannot be read is refused, and not repeated', async () => {
  const refusal = await refused(open(), 'http://exa mple/?key=secret');
  expect(refusal?.message).toBe('This request is not allowed: its address cannot be read.');
});

test('a WebSocket keeps to the same rule, and its handshake says so', async () => {
  const handshake = watchHandshake(open().dispatcher);
  const socket = new WebSocket(`ws://${server.host}/`, { dispatcher: handshake.dispatcher });
  await new Promise((resolve) => socket.addEventListener('error', resolve));
  expect(refusalIn(handshake.failure)?.message).toContain('is not allowed: it is a loopback address');
});
