// Requests that nobody should send, and some that somebody does: methods, paths, queries, headers and bodies.

import fc from 'fast-check';
import { agentNames, type FuzzHouse, fuzzKey } from './fuzz-house.ts';

export interface FuzzRequest {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const encoded = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed()));

export const oddWords = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'sessions', 'models', 'chat', 'undefined', 'null', ''],
  ...['.', '..', '%2e%2e', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '..%5c..', '%00', 'echo%00', '%', '%zz', '%c0%ae', '%ff'],
  ...['a%0d%0aset-cookie:%20x=1', '%E2%80%AE', '%F0%9F%92%A9', 'echo;x=1', 'echo%2F', 'Echo', '*', '~', '%7f', '%20'],
  ...['s1', 's2', 's3', 's1-2', 's1~1.1', '-1', '0', '1e9', 'x'.repeat(3_000)],
];

const word = fc.oneof(
  { arbitrary: pick(...agentNames), weight: 5 },
  { arbitrary: pick(...oddWords), weight: 2 },
  { arbitrary: encoded, weight: 1 },
);

function paths({ routes }: FuzzHouse): fc.Arbitrary<string> {
  const known = fc
    .tuple(pick(...routes.map(({ path }) => path)), fc.array(word, { minLength: 4, maxLength: 4 }))
    .map(([path, words]) => {
      let next = 0;
      return path.replace(/:\w+/g, () => words[next++] ?? '');
    });
  const free = fc.array(word, { maxLength: 5 }).map((words) => `/${words.join('/')}`);
  const long = fc.nat(9_000).map((length) => `/v1/${'a/'.repeat(length / 2)}`);
  return fc.oneof({ arbitrary: known, weight: 20 }, { arbitrary: free, weight: 3 }, { arbitrary: long, weight: 1 });
}

export const schemas = [
  '{}',
  '{"type":"object"}',
  '{"type":"nothing"}',
  '[]',
  'null',
  '"x"',
  '{',
  '{"$ref":"#/definitions/none"}',
  '{"$ref":"http://127.0.0.1:1/x"}',
  '{"$ref":"#"}',
  '{"pattern":"("}',
  '{"$id":"__proto__"}',
  '{"__proto__":{"polluted":true}}',
  '{"properties":{"__proto__":{"type":"string"}}}',
  `${'{"not":'.repeat(2_000)}{}${'}'.repeat(2_000)}`,
  '{"$async":true}',
  '{"$schema":"http://x/"}',
  '{"enum":[]}',
  '{"multipleOf":0}',
];

const pair = fc
  .tuple(
    fc.oneof(pick('q', 'q', 'format', 'schema', 'text', 'limit', 'after'), pick(...oddWords), encoded),
    fc.oneof(
      pick('Hello', 'text', 'markdown', 'json'),
      pick(...schemas.map(encodeURIComponent)),
      pick(...oddWords),
      encoded,
    ),
  )
  .map(([name, value]) => `${name}=${value}`);
const query = fc.oneof(
  pick('', '?', '?&&', '?q=Hello', '?=', '?q', '?%', '?q=%ff', '?q=a#b'),
  fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`),
);

/** Values that a header may have at all. */
const value = fc.oneof(
  pick(...oddWords.filter((one) => one.length < 100)),
  fc.stringMatching(/^[!-~\u00a0-\u00ff]{0,40}$/),
  pick(
    'text/event-stream',
    'application/json',
    'a'.repeat(2_000),
    ',,,',
    ';q=',
    '0',
    '-1',
    '99999999999999999999',
    'NaN',
  ),
);
const types = [
  ...['application/json', 'application/json', 'text/plain', 'text/markdown', 'application/x-www-form-urlencoded'],
  ...[
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
    'application/x+json',
    ';',
    'x/y',
    'text/plain;',
  ],
];
const plainHeader = fc.oneof(
  fc.tuple(fc.constant('content-type'), pick(...types)),
  fc.tuple(
    fc.constant('accept'),
    pick('text/event-stream', 'application/vnd.ai-agent+json', '*/*', '', '__proto__', ';q=x'),
  ),
  fc.tuple(
    pick('x-ai-agent-depth', 'x-ai-agent-ancestry', 'x-ai-agent-tree', 'last-event-id', 'authorization', 'x-api-key'),
    value,
  ),
  fc.tuple(pick('accept', 'content-encoding', 'range', 'if-none-match', 'cookie', 'x-forwarded-for'), value),
  fc.tuple(fc.stringMatching(/^x-[a-z]{1,8}$/), value),
  pick(['x-api-key', fuzzKey] as const, ['authorization', `Bearer ${fuzzKey}`] as const),
);
const foreign = fc.tuple(pick('origin', 'sec-fetch-site', 'host'), value);
const header = fc.oneof({ arbitrary: plainHeader, weight: 30 }, { arbitrary: foreign, weight: 1 });

const bytes = (text: string) => new TextEncoder().encode(text);
const deep = (open: string, close: string, levels: number) => bytes(`${open.repeat(levels)}1${close.repeat(levels)}`);

export const oddBodies = [
  ...[
    '',
    ' ',
    'Hello',
    '{}',
    '[]',
    'null',
    '0',
    '"x"',
    '{',
    '{"text":',
    '\ufeff{"text":"x"}',
    '{"text":"\\ud800"}',
  ].map(bytes),
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"text":1e999999}'].map(
    bytes,
  ),
  ...['{"agent":"echo","input":"x"}', '{"agent":"echo","input":{"__proto__":{"polluted":true}}}', '{"x":1}'].map(bytes),
  ...['{"agent":"asker","input":"x"}', '{"answer":"this"}', '{"text":"x","format":"json"}', 'q=x&q=y', 'text=%ff'].map(
    bytes,
  ),
  bytes(`{"text":${'9'.repeat(100_000)}}`),
  bytes(`{"${'k'.repeat(100_000)}":1}`),
  deep('[', ']', 100_000),
  deep('{"a":', '}', 100_000),
  bytes(`{"text":"x","format":"json","schema":${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}}`),
  bytes(`{"agent":"echo","input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  bytes('x'.repeat(1_100_000)),
  new Uint8Array([0xff, 0xfe, 0x00, 0xd8]),
  new Uint8Array([0xc0, 0x80]),
];
const fields = fc.dictionary(
  fc.oneof(
    pick('agent', 'input', 'text', 'json', 'format', 'schema', 'budget', 'answer', 'q', 'reason'),
    pick(...oddWords),
  ),
  fc.oneof(
    pick<unknown>(
      'echo',
      'asker',
      'json',
      'x',
      {},
      { tokens: -1 },
      { turns: 1 },
      { tokens: Number.MAX_VALUE },
      ...schemas.map(tryParse),
    ),
    fc.jsonValue({ maxDepth: 3 }),
  ),
  { maxKeys: 5 },
);
export const bodies = fc.oneof(
  pick(...oddBodies),
  fields.map((object) => bytes(JSON.stringify(object))),
  fc.json().map(bytes),
  fc.uint8Array({ maxLength: 200 }),
);

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const methods = pick('GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'FOO');

export function requests(house: FuzzHouse): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({ method: methods, path: paths(house), query, headers: fc.array(header, { maxLength: 4 }), body: bodies })
    .map(({ method, path, query: asked, headers, body }) => {
      const hasBody = !['GET', 'HEAD'].includes(method);
      return { method, target: `${path}${asked}`, headers, body: hasBody ? body : undefined };
    });
}

/** Everything odd, in every place of every route where it fits. */
export function sweep({ routes }: FuzzHouse): readonly FuzzRequest[] {
  const paths = [...new Set(routes.map((route) => route.path))];
  return [...paths.flatMap(oddTargets), ...paths.flatMap(oddPosts), ...schemas.flatMap(oddSchemas)];
}

const fill = (path: string, by: string) => path.replace(/:\w+/g, by);
const asJson = [['content-type', 'application/json']] as const;

function oddTargets(path: string): readonly FuzzRequest[] {
  const known = fill(path, 'echo');
  return oddWords.flatMap((odd) => [
    ...['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => {
      const body = method === 'POST' ? bytes('{}') : undefined;
      return { method, target: `${fill(path, odd)}?q=Hello`, headers: asJson, body };
    }),
    { method: 'GET', target: `${known}?q=Hello&${odd}=${odd}`, headers: [], body: undefined },
  ]);
}

function oddPosts(path: string): readonly FuzzRequest[] {
  const names = path.startsWith('/v1/:') ? ['echo', 'form'] : ['s1'];
  const targets = names.map((name) => fill(path, name));
  return targets.flatMap((target) => oddBodies.map((body) => ({ method: 'POST', target, headers: asJson, body })));
}

function oddSchemas(schema: string): readonly FuzzRequest[] {
  const asked = `q=Hello&format=json&schema=${encodeURIComponent(schema)}`;
  return agentNames.map((name) => ({ method: 'GET', target: `/v1/${name}?${asked}`, headers: [], body: undefined }));
}

/** One line, for whoever has to find out. */
export function showRequest({ method, target, headers, body }: FuzzRequest): string {
  const said =
    body === undefined
      ? ''
      : ` body(${body.length}) ${JSON.stringify(Buffer.from(body).toString('latin1').slice(0, 200))}`;
  return `${method} ${JSON.stringify(target.slice(0, 300))} ${JSON.stringify(headers)}${said}`;
}
