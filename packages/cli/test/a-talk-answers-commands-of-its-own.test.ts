// A line that begins with a slash is for the talk itself: its tree, its cost, its file; one that nobody knows is told the nearest.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { desk, echo, talk } from './support/talk.ts';

const files = {
  'desk.ai': agentFile(['models: local/m', 'agents: child.ai'], 'You are the desk.'),
  'child.ai': agentFile(['models: local/m', 'description: helps', 'ask: person'], 'You are the child.'),
};

test('/tree draws the last answer or all of them, /cost has every agent and the whole talk', async () => {
  const place = await desk((request) => {
    if (request.system.includes('You are the child')) return 'child here';
    return resultsIn(request).length > 0 ? 'done' : { calls: [call('agent__child', { text: 'go' })] };
  }, files);
  const terminal = talk(place);
  await terminal.say('/tree');
  await terminal.shows('Nothing was said yet.');
  for (const text of ['one', 'two']) await terminal.say(text);
  await terminal.say('/tree');
  await terminal.shows(/> \/tree\ndesk: completed[^>]*\n\|- 1\. child "r": completed[^>]*\n`- 2\. model local\/m/);
  await terminal.say('/tree all');
  await terminal.shows(/> \/tree all\n(desk: completed[^>]*){2}/);
  await terminal.say('/cost');
  await terminal.shows(/desk +2 +4 +2 .*\nchild +2 +2 +0 .*\ntotal +4 +6 +2 /);
});

test('/save writes Markdown or JSON, and overwrites only what it may', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  const read = (name: string) => readFile(join(place.cwd, name), 'utf8');
  await terminal.say('one');
  await terminal.say('/save talk.md');
  await terminal.shows('Saved as talk.md.');
  expect(await read('talk.md')).toMatch(/^# one\n[\s\S]*## You\n\none\n\n## desk\n\nheard one\n$/);
  await terminal.say('two');
  await terminal.say('/save talk.md');
  await terminal.shows(/talk\.md is there already\. Overwrite it\? \[y\/N\] *$/);
  terminal.type('\r');
  await terminal.shows('talk.md is there already, and was left as it is.');
  await terminal.say('/save talk.md');
  await terminal.shows(/left as it is[\s\S]*Overwrite it\? \[y\/N\] *$/);
  terminal.type('y\r');
  await terminal.shows(/Saved as talk\.md\.[\s\S]*Saved as talk\.md\./);
  expect(await read('talk.md')).toContain('heard one + two');
  await terminal.say('/save talk.json');
  await terminal.shows('Saved as talk.json.');
  const saved = JSON.parse(await read('talk.json'));
  expect(saved.rounds.map(({ said, outcome }: never) => [said, (outcome as { text: string }).text])).toEqual([
    ['one', 'heard one'],
    ['two', 'heard one + two'],
  ]);
  await terminal.say('/save no/such/folder.md');
  await terminal.shows('It could not be saved');
  await terminal.say('/save');
  await terminal.shows(/Saved as desk-\d{4}-\d\d-\d\d\.md\./);
  await terminal.say('/quit');
  await terminal.ended;
  const [head] = await headsIn(place.cwd);
  const exported = await run(['sessions', 'export', head?.id ?? '', '--format', 'markdown'], { cwd: place.cwd });
  expect(await read('talk.md')).toBe(exported.stdout);
});

test('an unknown command is told the nearest, Tab completes, /help says all, and nothing of it is asked of the model', async () => {
  const place = await desk(echo);
  const terminal = talk(place);
  await terminal.say('/hlep');
  await terminal.shows('There is no command /hlep. Did you mean /help?');
  await terminal.prompts();
  terminal.type('/s\t');
  await terminal.shows(/desk> \/s *\n\/stop {2}\/save *$/);
  terminal.type('t\t\r');
  await terminal.shows(/> \/stop\nNothing is being answered\./);
  await terminal.say('/help');
  for (const word of ['/help', '/stop', '/tree [all]', '/cost', '/save [file]', '/new', '/quit', 'Ctrl-D'])
    await terminal.shows(word);
  await terminal.say('/quit');
  expect(await terminal.ended).toBe(0);
  expect(place.model.requests).toHaveLength(0);
});

test('what a child asks is asked inline, and the talk goes on; what was being typed is still there', async () => {
  const ready = Promise.withResolvers<void>();
  const place = await desk((request) => {
    const results = resultsIn(request);
    if (request.system.includes('You are the child'))
      return results.length > 0
        ? `child heard ${results.join()}`
        : { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }], until: ready.promise };
    if (results.length > 0) return `desk heard ${results.join()}`;
    return request.messages.length > 1 ? 'good' : { calls: [call('agent__child', { text: 'go' })] };
  }, files);
  const terminal = talk(place);
  await terminal.say('go');
  await expect.poll(() => place.model.inFlight).toBe(1);
  terminal.type('half');
  await terminal.shows('> half');
  ready.resolve();
  await terminal.shows(/child asks:\n {2}Which year\?\n> *$/);
  terminal.type('2024\r');
  await terminal.shows('desk heard child heard 2024');
  await terminal.prompts('half');
  terminal.type(' more\r');
  await terminal.shows(/\ngood\n/);
});

test('a question that was left open is answered by the next message, also after a restart', async () => {
  const place = await desk(
    (request) => {
      const results = resultsIn(request);
      return results.length > 0
        ? `heard ${results.join()}`
        : { calls: [{ name: 'ask_user', input: { question: 'Which?', choices: ['red', 'blue'] } }] };
    },
    { 'desk.ai': agentFile(['models: local/m', 'ask: person']) },
  );
  const begun = await run(['chat', 'desk.ai'], { cwd: place.cwd, input: 'go\n' });
  expect([begun.code, begun.stdout]).toEqual([6, '']);
  expect(begun.stderr).toMatch(/Which\?[\s\S]*the next message is the answer/);
  const terminal = talk(place, ['--continue']);
  await terminal.shows(/desk asks:\n {2}Which\?\n {2}1\. red\n {2}2\. blue\ndesk> *$/);
  await terminal.say('green');
  await terminal.shows(/Choose one of them[\s\S]*> *$/);
  terminal.type('2\r');
  await terminal.shows('heard blue');
});
