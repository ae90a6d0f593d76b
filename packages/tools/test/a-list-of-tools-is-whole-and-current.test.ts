// Every page of it, read once, and again when the server says that it changed. One without an end is refused.

import { expect, test } from 'vitest';
import { byHand, callOptions, eventually, good, never, openConnections } from './support/mcp.ts';

test('every page is read, and read once', async () => {
  const { server, facts } = byHand({ pages: 4, isRecording: true });
  const { link } = await openConnections().lease(server, { signal: never() });
  const [first, second] = await Promise.all([link.tools(never()), link.tools(never())]);
  expect(first.map(({ name }) => name)).toEqual([
    'echo',
    'environment',
    'die',
    'slow',
    'progress',
    'change',
    'shape',
    'flood',
    'hang',
    'pid',
    'ask',
  ]);
  expect(second).toBe(first);
  expect(await link.tools(never())).toBe(first);
  expect(facts().filter(({ method }) => method === 'tools/list')).toHaveLength(4);
});

test.each([
  ['an older revision', () => byHand().server, ['change', { add: 'extra' }]],
  ['the newest revision', () => good(), ['more', {}]],
] as const)('a change of the list is seen: %s', async (_, server, [tool, args]) => {
  const { link } = await openConnections().lease(server(), { signal: never() });
  const before = await link.tools(never());
  await link.call(tool, args, callOptions());
  let names: readonly string[] = [];
  let isCurrent = false;
  await eventually(() => {
    void link.tools(never()).then((tools) => {
      names = tools.map(({ name }) => name);
      isCurrent = names.includes('extra');
    });
    return isCurrent;
  });
  expect(names).toHaveLength(before.length + 1);
});

test.each(['endless', 'huge'])('a list that is %s is refused', async (pages) => {
  const { server } = byHand({ pages });
  const { link } = await openConnections().lease(server, { signal: never() });
  const listing = link.tools(never());
  await expect(listing).rejects.toMatchObject({ code: 'tool-source-failed', class: 'tool' });
  await expect(listing).rejects.toThrow('lists its tools without an end');
});
