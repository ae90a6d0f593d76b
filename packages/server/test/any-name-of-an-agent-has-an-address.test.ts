// The promise: whatever an agent is called, the document has an address for it, and there it answers.

import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/index.ts';
import { appOf, complaintsOf, documentOf, type Node, served } from './support/documented.ts';

const names = [
  'research.icp',
  'a b',
  'a/b',
  '{id}',
  'a{b}c',
  'häßlich',
  '日本',
  '😀',
  '100%',
  'a?b=c&d#e',
  `it's "quoted"`,
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '..a',
  'a_b',
  'a-b',
  'x'.repeat(128),
];

interface Found {
  readonly path: string;
  readonly name: string;
  readonly operationIds: readonly string[];
}

async function found(agents: readonly string[]): Promise<readonly Found[]> {
  const document = await documentOf(agents.map((name) => served(name)));
  expect(await complaintsOf(document)).toEqual([]);
  const paths = Object.entries(document.paths as Record<string, Record<string, Node>>);
  return paths.flatMap(([path, item]) => {
    const name = item['x-ai-agent']?.name;
    const operationIds = [item.get, item.post].map((operation) => String(operation?.operationId));
    return typeof name === 'string' ? [{ path, name, operationIds }] : [];
  });
}

test('each has a path without braces, and operations of its own', async () => {
  const all = await found(names);
  expect(all.map(({ name }) => name)).toEqual(names);
  expect(all.filter(({ path }) => /[{}\s<>"]/.test(path))).toEqual([]);
  const ids = all.flatMap(({ operationIds }) => operationIds.map((id) => id.toLowerCase()));
  expect(new Set(ids).size).toBe(2 * names.length);
  expect(ids.filter((id) => !/^(ask|call)_\w+$/.test(id))).toEqual([]);
});

test('each answers there, over a socket', async () => {
  const listening = await listen(appOf(names.map((name) => served(name))), { port: 0 });
  onTestFinished(() => listening.close());
  for (const { path } of await found(names)) {
    const response = await fetch(`${listening.url}${path}?q=Is%20it%3F`);
    expect([path, response.status, await response.text()]).toEqual([path, 200, 'Yes.']);
  }
});

test('a name that no address can have is left out, and takes no route of the server', async () => {
  expect(await found(['.', '..', ''])).toEqual([]);
  const document = await documentOf([served('sessions'), served('\ud800')]);
  expect(await complaintsOf(document)).toEqual([]);
  expect(document.paths).toMatchObject({ '/v1/sessions': { post: { operationId: 'start_session' } } });
});
