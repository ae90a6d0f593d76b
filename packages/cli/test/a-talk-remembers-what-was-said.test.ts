// A talk is one session: every message is answered with all that was said before, also after the process was ended.

import { expect, test } from 'vitest';
import { agentFile, run } from './support/command.ts';
import { desk, echo, keys, saidIn, talk } from './support/talk.ts';

test('the agent greets, answers, remembers, and says how to go on', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  await terminal.say('first');
  await terminal.shows(/heard first\n.* s · \d+ tokens/);
  await terminal.say('second');
  await terminal.shows('heard first + second');
  await terminal.prompts();
  terminal.type(keys.ctrlD);
  expect(await terminal.ended).toBe(0);
  const seen = terminal.seen();
  const [, id] = /Session (\w+)\./.exec(seen) ?? [];
  expect(seen).toMatch(/^desk: Knows things\nFor example: What do you know\?\nSession /);
  expect(seen).toContain(`Go on with: ai-agent chat desk.ai --session ${id}`);
  expect(place.model.requests.map(saidIn)).toEqual([['first'], ['first', 'second']]);
  expect(place.model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
});

test('--continue goes on with the last talk, and shows where it was', async () => {
  const place = await desk(echo);
  const first = talk(place);
  await first.say('one');
  await first.shows('heard one');
  await first.say('/quit');
  expect(await first.ended).toBe(0);
  const again = talk(place, ['--continue']);
  await again.shows(/you> one\ndesk> heard one/);
  await again.say('two');
  await again.shows('heard one + two');
  await again.say('/cost');
  await again.shows(/total +2 +2 /);
  const [, id] = /Session (\w+)\./.exec(again.seen()) ?? [];
  expect(first.seen()).toContain(id);
});

test('--session takes a part of its id; what nobody knows is said, with those that are known', async () => {
  const place = await desk(echo);
  const begun = await run(['chat', 'desk.ai', '--json'], { cwd: place.cwd, input: 'one\n' });
  const { sessionId } = JSON.parse(begun.stdout);
  const again = await run(['chat', 'desk.ai', '--session', sessionId.slice(0, 8)], { cwd: place.cwd, input: 'two\n' });
  expect(again).toMatchObject({ code: 0, stdout: 'heard one + two\n' });
  const unknown = await run(['chat', 'desk.ai', '--session', 'nobody'], { cwd: place.cwd, input: 'two\n' });
  expect(unknown.stdout).toBe('');
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toMatch(/There is no session "nobody".*desk/);
});

test('all rounds are one session in the store, with one id in every document', async () => {
  const place = await desk(echo);
  const { code, stdout } = await run(['chat', 'desk.ai', '--json'], { cwd: place.cwd, input: 'one\ntwo\n' });
  const documents = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(documents.map(({ text }) => text)).toEqual(['heard one', 'heard one + two']);
  expect(new Set(documents.map(({ sessionId }) => sessionId)).size).toBe(1);
});

test('/new begins another talk, which knows nothing of the first', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  await terminal.say('one');
  await terminal.shows('heard one');
  const [, first] = /Session (\w+)/.exec(terminal.seen()) ?? [];
  await terminal.say('/new');
  await terminal.shows(`Go on with the last one: --session ${first}`);
  await terminal.say('two');
  await terminal.shows(/heard two\n/);
  expect(new Set(terminal.seen().match(/(?<=Session )\w+/g)).size).toBe(2);
});

test('with --no-store nothing is kept, and the talk remembers all the same', async () => {
  const place = await desk(echo);
  const terminal = talk(place, ['--no-store']);
  await terminal.say('one');
  await terminal.say('two');
  await terminal.shows('heard one + two');
  await terminal.prompts();
  terminal.type(keys.ctrlD);
  expect(await terminal.ended).toBe(0);
  expect(terminal.seen()).toContain('which is not kept');
  expect(terminal.seen()).not.toContain('Go on with');
  const again = talk(place);
  await again.prompts();
  again.type(keys.up);
  await again.prompts();
});

test('a store that cannot be opened costs nobody the talk', async () => {
  const place = await desk(echo, { taken: 'no folder' });
  const { code, stdout, stderr } = await run(['chat', 'desk.ai', '--store', 'taken/store.sqlite'], {
    cwd: place.cwd,
    input: 'one\ntwo\n',
  });
  expect([code, stdout]).toEqual([0, 'heard one\n\nheard one + two\n']);
  expect(stderr.match(/is not kept/g)?.length).toBeGreaterThan(0);
});

test('the talk of another agent is not gone on with', async () => {
  const place = await desk(echo, { 'other.ai': agentFile(['models: local/m']) });
  const begun = await run(['chat', 'other.ai', '--json'], { cwd: place.cwd, input: 'one\n' });
  const { sessionId } = JSON.parse(begun.stdout);
  const { code, stderr } = await run(['chat', 'desk.ai', '--session', sessionId], { cwd: place.cwd, input: 'two\n' });
  expect(code).not.toBe(0);
  expect(stderr).toContain('is one of other, not of desk');
});
