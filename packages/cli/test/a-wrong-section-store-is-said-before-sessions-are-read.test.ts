// The promise: what is wrong with the section `store` is said before any session is read or deleted, in the words of a run.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const agent = agentFile(['models: offline/demo']);

test.each([
  [{ url: 'mysql://db.example/agents' }, 'store.url: must be an address that begins with postgres://'],
  [{ maxAge: 30 }, 'store.maxAge: found 30; must be a time with its unit'],
  ['sessions.sqlite', 'store: found text; must be an object'],
])('%j', async (store, problem) => {
  const cwd = await folderWith({ 'desk.ai': agent, '.ai-agent.json': { store } });
  const ran = await run(['desk.ai', 'hello'], { cwd });
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(problem)]);
  for (const args of [['list'], ['show', 'abcd'], ['delete', '--all', '--yes'], ['resume', 'abcd']]) {
    const { code, stdout, stderr } = await run(['sessions', ...args], { cwd });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^\.ai-agent\.json:\d+: error: /);
    expect(stderr).toContain(problem);
    expect(stderr).toContain('What to do: Correct .ai-agent.json');
  }
  const { code, stdout } = await run(['sessions', 'list', '--json'], { cwd });
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { status: 'failed', failure: { class: 'config' } }]);
});

test('a key that nobody knows is a warning, and what is wrong elsewhere is for others to say', async () => {
  const cwd = await folderWith({ '.ai-agent.json': { store: { maxage: '1d' }, providers: 3 } });
  const { code, stderr } = await run(['sessions', 'list'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain('warning: store.maxage: is not known; did you mean maxAge?');
  expect(stderr).not.toContain('providers');
});

test('a configuration that is not there was said wrongly', async () => {
  const cwd = await folderWith({});
  const { code, stderr } = await run(['sessions', 'list', '--config', 'none.json'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining('the command line: error: --config: there is no')]);
});
