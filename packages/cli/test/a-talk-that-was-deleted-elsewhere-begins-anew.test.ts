// The promise: a session that is deleted while its talk is open is said to be gone, and the next message begins another one.

import { expect, test } from 'vitest';
import { run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { desk, echo, talk } from './support/talk.ts';

test('what could not be sent stands at the prompt, and is sent to a new talk', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  await terminal.say('one');
  await terminal.shows('heard one');
  await terminal.prompts();
  const [before] = await headsIn(place.cwd);
  expect((await run(['sessions', 'delete', before?.id ?? ''], place)).code).toBe(0);
  await terminal.say('two');
  await terminal.shows(`The session ${before?.id} is not there any more: it was deleted.`);
  await terminal.shows('Send it again: that begins a new talk, which knows nothing of this one.');
  await terminal.prompts('two');
  terminal.type('\r');
  await terminal.shows('heard two');
  await terminal.say('three');
  await terminal.shows('heard two + three');
  const heads = await headsIn(place.cwd);
  expect(heads).toMatchObject([{ title: 'two', resumptions: 1, status: 'completed' }]);
  expect(heads[0]?.id).not.toBe(before?.id);
});
