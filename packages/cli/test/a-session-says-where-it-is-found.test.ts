// The promise: where sessions are elsewhere than usual, or nowhere, whoever looks for one is told where, or why.

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { desk, echo, keys, talk } from './support/talk.ts';

test('the line at the end of a run has the flag that finds it', async () => {
  const { cwd } = await desk(echo);
  const { stderr } = await run(['desk.ai', 'hello', '--store', 'my shelf.sqlite'], { cwd });
  const [, id, flag] = /^session (\w+) \(find it with --store '(.*)'\)$/m.exec(stderr) ?? [];
  expect(flag).toBe(join(cwd, 'my shelf.sqlite'));
  expect((await run(['sessions', 'show', id ?? '', '--store', flag ?? ''], { cwd })).code).toBe(0);
  await run(['desk.ai', 'hello'], { cwd });
  const missed = await run(['sessions', 'show', id ?? ''], { cwd });
  expect(missed.code).toBe(4);
  expect(missed.stderr).toContain(
    `There is no session "${id}" in ${join(cwd, 'home/.ai-agent/sessions.sqlite')}. The last ones: `,
  );
});

test.each([[['desk.ai', 'hello']], [['chat', 'desk.ai']], [['sessions', 'list']], [['serve', 'desk.ai']]])(
  'a store of an unknown kind is refused: %j',
  async (args) => {
    const { cwd, model } = await desk(echo);
    const { code, stderr } = await run([...args, '--store', 'mysql://me:secret@x/y'], { cwd });
    expect(code).toBe(4);
    expect(stderr).toContain('--store takes a path, or a postgres:// address; an address that begins with mysql://');
    expect(stderr).not.toContain('secret');
    expect(model.requests).toHaveLength(0);
  },
);

test('a home that is no place says so to whoever looks there', async () => {
  const { cwd } = await desk(echo);
  const env = { HOME: 'relative' };
  const why = 'No sessions are kept here: HOME is "relative", which is no absolute path.';
  expect(await run(['desk.ai', 'hello', '-q'], { cwd, env })).toMatchObject({ code: 0, stderr: '' });
  for (const args of [
    ['desk.ai', '--continue', 'more'],
    ['chat', 'desk.ai', '--continue'],
    ['sessions', 'list'],
  ]) {
    const { code, stderr } = await run(args, { cwd, env });
    expect([code, stderr]).toEqual([4, expect.stringContaining(why)]);
  }
});

test('an agent of the same name in another file', async () => {
  const { cwd } = await desk(echo);
  await cp(join(cwd, 'desk.ai'), join(cwd, 'other/desk.ai'));
  await cp(join(cwd, '.ai-agent.json'), join(cwd, 'other/.ai-agent.json'));
  const other = join('other', 'desk.ai');
  const none = await run([other, '--continue', 'more'], { cwd });
  expect(none.stderr).toContain('There is no earlier session of this file at the terminal in ');
  expect(none.stderr).not.toContain('began with other files');
  await run(['desk.ai', 'hello'], { cwd });
  expect((await run([other, '--continue', 'more'], { cwd })).stderr).toContain('Those of desk began with other files.');
  const [head] = await headsIn(cwd);
  const said = `This session began with ${join(cwd, 'desk.ai')}; it goes on with ${join(cwd, other)}.`;
  const going = await run([other, '--session', head?.id ?? '', 'more'], { cwd });
  expect(going).toMatchObject({ code: 0, stdout: 'heard hello + more\n' });
  expect(going.stderr).toContain(said);
  const chat = await run(['chat', other, '--session', head?.id ?? ''], { cwd, input: 'even more\n' });
  expect(chat.stderr).toContain(said);
  expect((await run(['desk.ai', '--continue', 'last'], { cwd })).stderr).not.toContain('This session began');
});

test('a talk that cannot be kept says so before anything is typed', async () => {
  const place = await desk(echo, { 'letter.sqlite': 'This is a letter to my aunt. '.repeat(200) });
  const terminal = talk(place, ['--store', 'letter.sqlite', '-q'], { columns: 200 });
  await terminal.prompts();
  expect(terminal.seen()).toMatch(/warning: This session is not kept: .*letter\.sqlite/);
  expect(terminal.seen()).toMatch(/Session \w+, which is not kept\./);
  await terminal.say('hello');
  await terminal.shows(/heard hello[\s\S]*desk> *$/);
  terminal.type(keys.ctrlD);
  expect(await terminal.ended).toBe(0);
  expect(terminal.seen().match(/warning: /g)).toHaveLength(1);
});
