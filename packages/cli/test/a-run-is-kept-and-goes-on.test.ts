// The promise: every run is kept in the home of the user, and goes on with a further message in another process; unless it is told not to.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRequest } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { factsIn, headsIn, storeIn } from './support/kept.ts';
import { served } from './support/served.ts';

/** Says how many people have spoken, and what they said. */
const remembering = ({ messages }: ModelRequest) =>
  `heard: ${messages.flatMap((one) => (one.role === 'user' ? one.content.map((part) => (part.type === 'text' ? part.text : '')) : [])).join(' | ')}`;

async function desk(more: object = {}) {
  const model = await served(remembering);
  return folderWith({
    'desk.ai': agentFile(['models: local/m']),
    'other.ai': agentFile(['models: local/m']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), ...more },
  });
}

test('a run is kept, whole, for the eyes of its user alone, and says under which id', async () => {
  const cwd = await desk();
  const ended = await run(['desk.ai', 'one'], { cwd });
  expect(ended).toMatchObject({ code: 0, stdout: 'heard: one\n' });
  const [head, ...others] = await headsIn(cwd);
  expect(others).toEqual([]);
  expect(head).toMatchObject({
    agent: 'desk',
    owner: '@terminal',
    headend: 'terminal',
    source: join(cwd, 'desk.ai'),
    status: 'completed',
    title: 'one',
    resumptions: 0,
  });
  expect(ended.stderr).toContain(`\nsession ${head?.id}\n`);
  const facts = await factsIn(cwd, head?.id ?? '');
  expect(facts).toHaveLength(head?.facts ?? 0);
  expect(facts.at(0)?.type).toBe('session-start');
  expect(facts.at(-1)?.type).toBe('session-end');
  expect(statSync(storeIn(cwd)).mode & 0o777).toBe(0o600);
  expect(statSync(join(cwd, 'home/.ai-agent')).mode & 0o777).toBe(0o700);
});

test('--continue goes on with the last of this file, --session with any by the beginning of its id; the id stays', async () => {
  const cwd = await desk();
  await run(['desk.ai', 'one'], { cwd });
  await run(['other.ai', 'else'], { cwd });
  const second = await run(['desk.ai', '--continue', 'two', '--json'], { cwd });
  const [other, first] = await headsIn(cwd);
  expect(JSON.parse(second.stdout)).toMatchObject({ text: 'heard: one | two', sessionId: first?.id });
  expect(second.stderr).toContain(`\nsession ${first?.id}\n`);
  const third = await run(['other.ai', '--session', other?.id.slice(0, 6) ?? '', 'more'], { cwd });
  expect(third).toMatchObject({ code: 0, stdout: 'heard: else | more\n' });
  expect((await headsIn(cwd)).map(({ resumptions, status }) => [resumptions, status])).toEqual([
    [1, 'completed'],
    [1, 'completed'],
  ]);
});

test('--no-store keeps nothing, and neither does a configuration that says so', async () => {
  const cwd = await desk();
  expect(await run(['desk.ai', 'one', '--no-store'], { cwd })).toMatchObject({ code: 0, stdout: 'heard: one\n' });
  const off = await desk({ store: { enabled: false } });
  const ended = await run(['desk.ai', 'one'], { cwd: off });
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).not.toMatch(/^session /m);
  const listed = await run(['sessions', 'list'], { cwd: off });
  expect(listed.stderr).toContain(`the section store of ${join(off, '.ai-agent.json')} switches it off`);
  for (const folder of [cwd, off]) expect(existsSync(join(folder, 'home/.ai-agent'))).toBe(false);
});

test('--store and the configuration name another place; the flag wins', async () => {
  const cwd = await desk({ store: { path: 'kept/here.sqlite' } });
  await run(['desk.ai', 'one'], { cwd });
  await run(['desk.ai', 'two', '--store', 'there.sqlite'], { cwd });
  expect(await headsIn(cwd, join(cwd, 'kept/here.sqlite'))).toMatchObject([{ title: 'one' }]);
  expect(await headsIn(cwd, join(cwd, 'there.sqlite'))).toMatchObject([{ title: 'two' }]);
  expect(existsSync(join(cwd, 'home/.ai-agent'))).toBe(false);
  expect((await run(['sessions', 'list', '--json'], { cwd })).stdout).toContain('"title":"one"');
});

test('several at once on one file are all kept', async () => {
  const cwd = await desk();
  const words = ['one', 'two', 'three', 'four'];
  const all = await Promise.all(words.map((word) => run(['desk.ai', word], { cwd })));
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const heads = await headsIn(cwd);
  expect(heads.map(({ title }) => title).sort()).toEqual([...words].sort());
  expect(heads.every(({ status }) => status === 'completed')).toBe(true);
});

test.each([
  ['an id that nobody has', ['--session', 'nobodyhas'], 'There is no session "nobodyhas" in '],
  ['too few letters', ['--session', 'ab'], '"ab" is too short'],
  ['nothing to go on with', ['--continue'], 'There is no earlier session of this file at the terminal in '],
  ['both', ['--continue', '--session', 'abcd'], 'Choose one of --session and --continue.'],
  ['no store', ['--continue', '--no-store'], '--continue needs the store'],
])('%s is said before anything is asked', async (_, flags, sentence) => {
  const cwd = await desk();
  const { code, stdout, stderr } = await run(['desk.ai', 'hello', ...flags], { cwd });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain(sentence);
});

test('commands that run nothing open no store', async () => {
  const cwd = await desk();
  for (const args of [['--version'], ['--help'], ['list'], ['check'], ['sessions', 'list'], ['desk.ai', '--dry-run']])
    await run(args, { cwd });
  expect(readdirSync(join(cwd, 'home'))).toEqual([]);
});
