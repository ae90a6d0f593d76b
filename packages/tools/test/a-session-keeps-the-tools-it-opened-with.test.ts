import { expect, test } from 'vitest';
import { openConnections } from './support/mcp.ts';
import { changing, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

test('a tool that its server takes away fails clearly, and a new one is not offered', async () => {
  const { outcome, tools, results } = await walkWith({
    server: 'changing',
    config: started(changing),
    script: calling(
      { name: 'changing__old' },
      { name: 'changing__change' },
      { name: 'changing__old' },
      { name: 'changing__new' },
    ),
  });
  expect(outcome.status).toBe('completed');
  expect(tools.map(({ name }) => name)).toEqual(['changing__old', 'changing__change', 'changing__complain']);
  expect(results.map(({ isError }) => isError)).toEqual([false, false, true, true]);
  expect(results[2]?.text).toContain('The server changing has taken the tool old away since this session began.');
  expect(results[3]?.text).toContain('There is no tool "changing__new"');
});

test('the next session on the same server gets what it has now', async () => {
  const connections = openConnections();
  const config = started(changing);
  const first = await walkWith({
    server: 'changing',
    config,
    connections,
    script: calling({ name: 'changing__change' }),
  });
  expect(first.tools.map(({ name }) => name)).toEqual(['changing__old', 'changing__change', 'changing__complain']);
  const second = await walkWith({
    server: 'changing',
    config,
    connections,
    script: calling({ name: 'changing__new' }),
  });
  expect(second.tools.map(({ name }) => name)).toEqual(['changing__change', 'changing__complain', 'changing__new']);
  expect(second.results[0]).toMatchObject({ isError: false, text: 'new is here' });
});
