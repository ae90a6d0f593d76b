// Bytes that are almost a request: wrong lines, wrong lengths, wrong headers, broken off, too many, too slow.

import fc from 'fast-check';
import type { FuzzHouse } from './fuzz-house.ts';
import { bodies, type FuzzRequest, oddWords, requests } from './fuzz-requests.ts';
import type { RawTalk } from './raw-talk.ts';

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const latin = (text: string) => Buffer.from(text, 'latin1');

/** As it should be sent; the target may hold any byte. */
export function toBytes({ method, target, headers, body }: FuzzRequest, more: readonly string[] = []): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`content-length: ${body.length}`]),
    ...more,
  ];
  return Buffer.concat([latin(`${lines.join('\r\n')}\r\n\r\n`), body ?? new Uint8Array()]);
}

export const oddHeads = [
  'GET /v1/echo?q=x HTTP/1.1\r\n\r\n',
  'GET /v1/echo?q=x HTTP/1.0\r\n\r\n',
  'GET /v1/echo?q=x HTTP/0.9\r\n\r\n',
  'GET /v1/echo?q=x HTTP/2.0\r\nhost: x\r\n\r\n',
  'GET /v1/echo?q=x\r\n\r\n',
  'GET\r\n\r\n',
  '\r\n\r\n\r\n\r\n',
  '\0\0\0\0\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'get /v1/echo?q=x HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET * HTTP/1.1\r\nhost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET http://127.0.0.1/v1/echo?q=x HTTP/1.1\r\nhost: y\r\n\r\n',
  'GET http://[::1/v1 HTTP/1.1\r\nhost: y\r\n\r\n',
  'GET file:///etc/passwd HTTP/1.1\r\nhost: y\r\n\r\n',
  'GET //etc/passwd HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  'GET ///v1//echo?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  'GET /v1/../../etc/passwd HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  'GET \\v1\\echo HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  'GET /v1/\xe9cho?q=\xff HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  'GET /v1/echo?q=a\0b HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  'GET ?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  'CONNECT 127.0.0.1:80 HTTP/1.1\r\nhost: 127.0.0.1:80\r\n\r\n',
  'TRACE /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
  ...['', ' ', 'a b', '[', '127.0.0.1:99999', 'x/y', '\x7f', 'a@b', 'x'.repeat(300), '127.0.0.1, evil', '\xff'].map(
    (host) => `GET /v1/echo?q=x HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
  ),
  'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil\r\n\r\n',
  ...['websocket', 'WebSocket, h2c', 'h2c', 'x\xff', ''].flatMap((upgrade) =>
    [
      'GET /v1/echo?q=x HTTP/1.1\r\nhost: 127.0.0.1',
      'GET /v1/nobody HTTP/1.0\r\nhost: 127.0.0.1',
      'GET http://[::1/v1 HTTP/1.1\r\nhost: y',
      'GET //etc/passwd HTTP/1.1\r\nhost: 127.0.0.1\r\nx: \xff',
      'HEAD /v1 HTTP/1.1\r\nhost: evil.example',
      'POST /v1/echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 8',
    ].map((head) => `${head}\r\nconnection: upgrade, close\r\nupgrade: ${upgrade}\r\n\r\n{"q":"x"`),
  ),
  'GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\n folded: yes\r\n\r\n',
  'GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\nx: a\r\n b\r\n\r\n',
  'GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\nno colon\r\n\r\n',
  'GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\nx : y\r\n\r\n',
  'GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\n: y\r\n\r\n',
  'GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\nx: a\0b\r\n\r\n',
  'GET /v1 HTTP/1.1\nhost: 127.0.0.1\n\n',
  'GET /v1 HTTP/1.1\rhost: 127.0.0.1\r\r',
  `GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  `GET /v1 HTTP/1.1\r\nhost: 127.0.0.1\r\n${Array.from({ length: 3_000 }, (_, i) => `x${i}: y\r\n`).join('')}\r\n`,
  `GET /v1/${'a'.repeat(20_000)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
  'GET /v1/echo?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: 100-continue\r\n\r\n',
  'GET /v1/echo?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: something\r\n\r\n',
  'GET /v1/echo?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x\r\n\r\n',
  'GET /v1/echo?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade, http2-settings\r\nupgrade: h2c\r\n\r\n',
] as const;

const post = 'POST /v1/echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: text/plain\r\n';

export const oddBodiesSent = [
  `${post}content-length: 5\r\n\r\nHello`,
  `${post}content-length: 50\r\n\r\nHello`,
  `${post}content-length: 2\r\n\r\nHello`,
  `${post}content-length: -1\r\n\r\nHello`,
  `${post}content-length: 0x5\r\n\r\nHello`,
  `${post}content-length: 5, 5\r\n\r\nHello`,
  `${post}content-length: 5\r\ncontent-length: 6\r\n\r\nHello!`,
  `${post}content-length: 99999999999999999999\r\n\r\nHello`,
  `${post}content-length: 999999999\r\n\r\nHello`,
  `${post}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\n5;x=y\r\nHello\r\n0\r\ntrailer: x\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\nzz\r\nHello\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\n-5\r\nHello\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nHello\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\n5\r\nHello World\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\n\r\n5\r\nHel`,
  `${post}transfer-encoding: chunked\r\n\r\n5;${'x'.repeat(40_000)}\r\nHello\r\n0\r\n\r\n`,
  `${post}transfer-encoding: gzip\r\n\r\nHello`,
  `${post}transfer-encoding: gzip, chunked\r\n\r\n5\r\nHello\r\n0\r\n\r\n`,
  `${post}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n5\r\nHello\r\n0\r\n\r\n`,
  `${post}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nHello`,
  `${post}expect: 100-continue\r\ncontent-length: 5\r\n\r\nHello`,
  `${post}expect: 100-continue\r\ncontent-length: 5\r\n\r\n`,
  // The second is answered before the first, and waits for its turn.
  `GET /v1/echo?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n${post.replace('/v1/echo', '/none')}expect: 100-continue\r\ncontent-length: 5\r\n\r\nHello`,
  `${post}\r\n`,
  `GET /v1/echo?q=x HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 5\r\n\r\nHello`,
] as const;

/** Any of it, whole or cut, in one piece or several, with any end. */
export function talks(house: FuzzHouse): fc.Arbitrary<RawTalk> {
  const asked = fc
    .tuple(requests(house), fc.array(oddHeader, { maxLength: 2 }))
    .map(([request, more]) => toBytes(request, more));
  const known = pick(...oddHeads, ...oddBodiesSent).map(latin);
  const noise = bodies.map((bytes) => Buffer.from(bytes.subarray(0, 20_000)));
  const one = fc.oneof(
    { arbitrary: asked, weight: 6 },
    { arbitrary: known, weight: 3 },
    { arbitrary: noise, weight: 1 },
  );
  const several = fc.array(one, { minLength: 1, maxLength: 3 }).map((parts) => Buffer.concat(parts));
  const end = pick<RawTalk['last']>('wait', 'wait', 'fin', 'fin', 'reset');
  return fc
    .record({ all: several, cutAt: fc.option(fc.nat(), { freq: 3 }), pieces: fc.nat(3), last: end })
    .map((given) => {
      const { all, cutAt, pieces, last } = given;
      const sent = cutAt === null ? all : all.subarray(0, cutAt % (all.length + 1));
      const size = Math.max(1, Math.ceil(sent.length / (pieces + 1)));
      const parts = Array.from({ length: Math.ceil(sent.length / size) }, (_, i) =>
        sent.subarray(i * size, (i + 1) * size),
      );
      return { pieces: parts, last };
    });
}

const oddHeader = fc.oneof(
  pick(
    'connection: close',
    'connection: keep-alive',
    'connection: x',
    'te: trailers',
    'content-length: 3',
    'host: evil',
  ),
  pick(
    'transfer-encoding: chunked',
    'expect: 100-continue',
    'upgrade: x',
    'x',
    ': x',
    ' x: y',
    `x: ${'y'.repeat(17_000)}`,
  ),
  fc.tuple(pick('x', 'accept', 'cookie', 'origin'), pick(...oddWords)).map(([name, value]) => `${name}: ${value}`),
);
