// The promise: what is typed in a talk, and what is saved of it, is for the eyes of its user alone.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desk, echo, keys, talk } from './support/talk.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('the folder, the file with what was typed, and a talk that is saved', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  await terminal.say('first');
  await terminal.shows('heard first');
  await terminal.say('/save talk.md');
  await terminal.shows('Saved as talk.md.');
  await terminal.prompts();
  terminal.type(keys.ctrlD);
  expect(await terminal.ended).toBe(0);
  const home = join(place.cwd, 'home/.ai-agent');
  expect([home, join(home, 'typed')].map(modeOf)).toEqual([0o700, 0o700]);
  expect([join(home, 'typed/desk.jsonl'), join(place.cwd, 'talk.md')].map(modeOf)).toEqual([0o600, 0o600]);
});
