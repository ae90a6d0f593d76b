// What is typed stands right on the screen: in a narrow window, in one that changes, with letters of two columns, and beyond its height.

import { expect, test } from 'vitest';
import { desk, echo, keys, talk } from './support/talk.ts';

const cursorOf = ({ emulator }: ReturnType<typeof talk>) => [
  emulator.buffer.active.cursorX,
  emulator.buffer.active.cursorY,
];

/** What stands behind the last prompt, without blanks. */
const typedIn = (terminal: ReturnType<typeof talk>) => {
  const seen = terminal.seen();
  return seen.slice(seen.lastIndexOf('> ') + 2).replace(/\s+/g, '');
};

test('a long line wraps below itself, and the cursor is where the next letter goes', async () => {
  const place = await desk(echo);
  const terminal = talk(place, [], { columns: 40 });
  await terminal.prompts();
  const text = 'abcdefghij'.repeat(6);
  terminal.type(text);
  await expect.poll(() => typedIn(terminal)).toBe(text);
  const rows = terminal
    .screen()
    .slice(-2)
    .map((row) => row.replace(/^desk>/, '').trim());
  expect(rows.join('')).toBe(text);
  expect(
    Math.max(
      ...terminal
        .screen()
        .slice(-2)
        .map((row) => row.trimEnd().length),
    ),
  ).toBeLessThan(40);
  const [column, row] = cursorOf(terminal);
  expect(column).toBe(6 + (rows[1]?.length ?? 0));
  expect(terminal.screen()[row ?? 0]).toContain(rows[1]);
  terminal.type('\r');
  await terminal.shows(/heard \w+/);
  await terminal.prompts();
});

test('letters of two columns are two columns', async () => {
  const place = await desk(echo);
  const terminal = talk(place, [], { columns: 40 });
  await terminal.prompts();
  terminal.type('世界世界');
  await terminal.shows(/世界世界 *$/);
  await expect.poll(() => cursorOf(terminal)[0]).toBe(6 + 8);
  terminal.type(`${keys.left}${keys.left}`);
  await expect.poll(() => cursorOf(terminal)[0]).toBe(6 + 4);
  terminal.type('世'.repeat(16));
  await expect
    .poll(
      () =>
        terminal
          .screen()
          .join('')
          .match(/[世界]/g)?.length,
    )
    .toBe(20);
});

test.each([
  ['narrower', 34],
  ['wider', 100],
])('a window that gets %s shows the prompt once, with what was typed', async (_, columns) => {
  const place = await desk(echo);
  const terminal = talk(place, [], { columns: 60 });
  await terminal.prompts();
  const text = 'one two three four five six seven eight nine ten eleven';
  terminal.type(text);
  await expect.poll(() => typedIn(terminal)).toBe(text.replaceAll(' ', ''));
  terminal.resize(columns, 20);
  await new Promise((resolve) => setTimeout(resolve, 200));
  terminal.type('!');
  await expect.poll(() => typedIn(terminal)).toBe(`${text}!`.replaceAll(' ', ''));
  expect(terminal.seen().match(/desk> /g)).toHaveLength(1);
});

test('in a window of a few columns there is a short prompt, and answers come', async () => {
  const place = await desk(echo);
  const terminal = talk(place, [], { columns: 20, rows: 8 });
  await terminal.shows(/\n> *$/);
  terminal.type('hi\r');
  await terminal.shows('heard hi');
  await terminal.shows(/\n> *$/);
});

test('of a text longer than the screen what is around the cursor is shown', async () => {
  const place = await desk(echo);
  const terminal = talk(place, [], { rows: 8 });
  await terminal.prompts();
  terminal.type(Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n'));
  await terminal.shows(/line 19 *$/);
  expect(terminal.screen().length).toBeLessThanOrEqual(8);
  terminal.type(keys.up.repeat(19));
  await expect.poll(() => terminal.screen().join('\n')).toMatch(/desk> line 0\n/);
  terminal.type('\r');
  await expect.poll(() => place.model.requests.length).toBe(1);
  expect(JSON.stringify(place.model.requests[0]?.messages)).toContain('line 0\\nline 1\\n');
});
