// A message may be of several lines: typed, or pasted; what was typed before comes back with the arrows.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk, echo, keys, pasted, saidIn, talk } from './support/talk.ts';

const lastSaid = (place: Awaited<ReturnType<typeof desk>>) => saidIn(place.model.requests.at(-1) ?? neverAsked).at(-1);
const neverAsked = { messages: [] } as never;

const ways = [
  ['a backslash at the end of a line', 'one\\\rtwo\r', 'one\ntwo'],
  ['a block', '"""\rone\r\r  two\r"""\r', 'one\n\n  two'],
  ['a block on one line', '"""one"""\r', 'one'],
  ['Alt with Enter', `one${keys.altEnter}two\r`, 'one\ntwo'],
  ['Ctrl-J', 'one\ntwo\r', 'one\ntwo'],
  ['Shift with Enter, where a terminal tells it', 'one\u001b[13;2utwo\r', 'one\ntwo'],
  ['a paste of several lines', `see: ${pasted('one\ntwo\n')}\r`, 'see: one\ntwo'],
  ['a paste with sequences in it', `${pasted('one\u001b[31m red\u0007')}\r`, 'one red'],
  ['two slashes', '//etc/hosts\r', '/etc/hosts'],
  ['a path', '/etc/hosts is empty\r', '/etc/hosts is empty'],
  ['letters that take two columns, and one of several code points', '世界 👩‍👩‍👧x\u007f\u007f\u007f!\r', '世界!'],
  ['an edit in the middle', `wrld${keys.left}${keys.left}${keys.left}o\r`, 'world'],
] as const;

test('each way to write a message, one after the other', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  for (const [i, [way, typed, message]] of ways.entries()) {
    await terminal.prompts();
    terminal.type(typed);
    await expect.poll(() => place.model.requests.length, { message: way }).toBe(i + 1);
    expect([way, lastSaid(place)]).toEqual([way, message]);
    await terminal.shows(new RegExp(`(?:tokens[\\s\\S]*){${i + 1}}`));
  }
});

test('a paste comes in pieces, and is sent by Enter alone', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  await terminal.prompts();
  for (const piece of ['\u001b[20', '0~one\rtw', 'o\u001b[2', '01~']) {
    terminal.type(piece);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await terminal.shows(/desk> one\n {4}… two *$/);
  expect(place.model.requests).toHaveLength(0);
  terminal.type('\r');
  await terminal.shows('heard one');
  expect(lastSaid(place)).toBe('one\ntwo');
});

test('up and down bring back what was typed, in this talk and in an earlier one, and what was being typed', async () => {
  const place = await desk(echo);
  const first = talk(place);
  await first.say('one\\\rmore');
  await first.say('two');
  await first.prompts();
  first.type(keys.ctrlD);
  await first.ended;
  const file = join(place.cwd, 'home/.ai-agent/typed/desk.jsonl');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toEqual(['"one\\\\\\nmore"', '"two"']);
  const again = talk(place);
  await again.prompts();
  again.type(`half${keys.up}`);
  await again.prompts('two');
  again.type(keys.up);
  await again.shows(/desk> one\\\n {4}… more *$/);
  // Through the lines of the message first.
  again.type(`${keys.up}${keys.down}${keys.down}${keys.down}`);
  await again.prompts('half');
});

test('a key in a message is not kept in the file of what was typed', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  const key = `sk-proj-${'a1B2'.repeat(12)}`;
  await terminal.say(`use ${key}`);
  await terminal.prompts();
  terminal.type(keys.ctrlD);
  await terminal.ended;
  const kept = await readFile(join(place.cwd, 'home/.ai-agent/typed/desk.jsonl'), 'utf8');
  expect(kept).toContain('use ');
  expect(kept).not.toContain(key);
});
