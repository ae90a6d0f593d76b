// A request that came to nothing is told in words, by the class it is of, without what is secret in it.

import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { AgentError } from '@ai-agent/core';
import { WebSocket } from 'undici';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closedPort } from '../../models/test/support/closed-port.ts';
import { watchHandshake } from '../src/outbound/handshake.ts';
import { toNetworkFailure } from '../src/outbound/network-failure.ts';
import { Outbound } from '../src/outbound/outbound.ts';
import { fixedLookup } from './support/fixed-lookup.ts';
import { serveHttp } from './support/http-server.ts';

const { lookup } = fixedLookup({});
const outbound = new Outbound({ named: ['127.0.0.1:*', 'nowhere.example'], lookup });
afterAll(() => outbound.close());

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(url: string, init?: RequestInit): Promise<AgentError> {
  const error = await outbound.fetch(url, init).then(
    (answer) => answer.text(),
    (error: unknown) => error,
  );
  return toNetworkFailure(error, 'The server mine');
}

test('nothing listens', async () => {
  expect(await failureOf(`http://127.0.0.1:${await closedPort()}`)).toMatchObject({
    class: 'network',
    code: 'tool-failed',
    retryable: true,
    message: 'The server mine refuses connections: nothing listens at this address and port.',
  });
});

test('nobody knows the host', async () => {
  expect(await failureOf('http://nowhere.example/')).toMatchObject({
    class: 'network',
    message: 'The server mine cannot be reached: nobody knows its host name.',
  });
});

test('the connection breaks off', async () => {
  const host = await listen(createTcpServer((socket) => void socket.once('data', () => socket.destroy())));
  expect(await failureOf(`http://${host}/`)).toMatchObject({
    class: 'network',
    message: 'The server mine broke off the connection.',
  });
});

test('it speaks no TLS', async () => {
  const server = await serveHttp();
  closing.push(() => server.close());
  expect(await failureOf(`https://${server.host}/`)).toMatchObject({ class: 'network', retryable: false });
});

test.each([
  ['CERT_HAS_EXPIRED', 'it has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for another host name'],
])('a certificate with %s', (code, reason) => {
  const error = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
  expect(toNetworkFailure(error, 'The server mine')).toMatchObject({
    class: 'network',
    retryable: false,
    message: `The server mine has a certificate that cannot be trusted: ${reason}.`,
  });
});

describe('time', () => {
  test('passes without an answer', async () => {
    const host = await listen(createTcpServer(() => {}));
    const controller = new AbortController();
    closing.push(() => controller.abort());
    expect(await failureOf(`http://${host}/`, { signal: AbortSignal.timeout(20) })).toMatchObject({
      class: 'timeout',
      message: 'The server mine did not answer in time.',
    });
  });

  test('passes without a connection', async () => {
    const slow = new Outbound({ named: ['slow.example'], lookup: () => {}, connectTimeoutMs: 20 });
    closing.push(() => slow.close());
    const error = await slow.fetch('http://slow.example/').catch((error: unknown) => error);
    expect(toNetworkFailure(error, 'The server mine')).toMatchObject({
      class: 'timeout',
      message: 'The server mine did not take up a connection in time.',
    });
  });
});

describe('who calls it off', () => {
  test('gets the reason as it was given', async () => {
    const reason = new AgentError('tool-timeout', 'Enough.');
    const host = await listen(createTcpServer((socket) => void socket.once('data', () => controller.abort(reason))));
    const controller = new AbortController();
    await expect(outbound.fetch(`http://${host}/`, { signal: controller.signal })).rejects.toBe(reason);
    expect(toNetworkFailure(reason, 'The server mine')).toBe(reason);
  });

  test('without one has cancelled', async () => {
    const host = await listen(createTcpServer((socket) => void socket.once('data', () => controller.abort())));
    const controller = new AbortController();
    expect(await failureOf(`http://${host}/`, { signal: controller.signal })).toMatchObject({ class: 'cancelled' });
  });
});

test('a header that cannot be sent is not repeated', async () => {
  const failure = await failureOf('http://127.0.0.1/', { headers: { 'x-api-key': 'secret\nkey' } });
  expect(failure.message).toBe('The server mine cannot be reached: a header has a value that cannot be sent.');
});

test('a status that HTTP does not have is told', async () => {
  const host = await listen(
    createTcpServer(
      (socket) => void socket.once('data', () => socket.end('HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n')),
    ),
  );
  expect((await failureOf(`http://${host}/`)).message).toContain('status 999');
});

describe('a WebSocket', () => {
  /** What became of it, and of its handshake. */
  async function connect(host: string) {
    const handshake = watchHandshake(outbound.dispatcher);
    const socket = new WebSocket(`ws://${host}/`, { dispatcher: handshake.dispatcher });
    const end = await new Promise<string>((resolve) => {
      socket.addEventListener('open', () => resolve('open'));
      socket.addEventListener('error', () => resolve('error'));
    });
    return { end, failure: handshake.failure };
  }

  test('that opens has no failure', async () => {
    const server = createServer();
    server.on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      const lines = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'];
      socket.write(`${[...lines, `sec-websocket-accept: ${accept}`].join('\r\n')}\r\n\r\n`);
      closing.push(() => socket.destroy());
    });
    expect(await connect(await listen(server))).toEqual({ end: 'open', failure: undefined });
  });

  test('that is turned away says by what', async () => {
    const server = await serveHttp((_, response) => response.writeHead(401).end());
    closing.push(() => server.close());
    const { end, failure } = await connect(server.host);
    expect(end).toBe('error');
    expect(toNetworkFailure(failure, 'The server mine')).toMatchObject({ class: 'auth', status: 401 });
  });

  test('where nothing listens says so', async () => {
    const { failure } = await connect(`127.0.0.1:${await closedPort()}`);
    expect(toNetworkFailure(failure, 'The server mine').message).toContain('refuses connections');
  });
});
