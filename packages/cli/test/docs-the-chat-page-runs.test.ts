// The promise: docs/chat.md works as written: its transcript is what a terminal shows, its pipe prints what is below it, and its commands are those there are.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slashCommands } from '../src/commands/chat/slash-commands.ts';
import { FollowedPage } from './support/followed-page.ts';
import { keys, talk } from './support/talk.ts';

const page = new FollowedPage('chat.md');

beforeAll(() => page.follow(), 60_000);
afterAll(() => page.end());

test('the pipe prints what is below it', () => {
  const [block] = page.commands;
  expect(page.commands).toHaveLength(1);
  expect(block && page.outputOf(block)?.trimEnd()).toBe(block && page.shownBelow(block)?.trimEnd());
});

test('the transcript is what a terminal shows', async () => {
  const [command, ...lines] =
    page.blocks
      .find(({ language }) => language === 'console')
      ?.text.trimEnd()
      .split('\n') ?? [];
  expect(command).toBe('$ ai-agent chat desk.ai');
  const terminal = talk({ cwd: page.folder }, [], { env: { HOME: join(page.folder, 'alone') } });
  for (const line of lines) {
    const [, text] = /^desk> (.+)$/.exec(line) ?? [];
    if (text !== undefined) await terminal.say(text);
  }
  await terminal.prompts();
  terminal.type(keys.ctrlD);
  expect(await terminal.ended).toBe(0);
  expect(withoutChance(terminal.history())).toEqual(withoutChance(lines));
});

test('every command is on the page', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/chat.md'), 'utf8');
  const rows = text.split('| command |')[1]?.split('\n\n')[0] ?? '';
  const named = [...rows.matchAll(/^\| `\/(\w+)/gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(slashCommands));
});

function withoutChance(lines: readonly string[]): readonly string[] {
  return lines.map((line) =>
    line
      .trimEnd()
      .replace(/\b[a-z\d]{26}\b/, 'an id')
      .replace(/\d+\.\d s/g, '0.1 s'),
  );
}
