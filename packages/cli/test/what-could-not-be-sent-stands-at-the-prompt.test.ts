// The promise: a message that could not be sent stands at the prompt again, and what was typed behind it on a line of its own; a wrong answer does not.

import { expect, test } from 'vitest';
import { agentFile, run } from './support/command.ts';
import { desk, talk } from './support/talk.ts';

test('both are there, apart', async () => {
  const input = ['models: local/m', 'input:', '  format: json', '  schema: { type: object, required: [city] }'];
  const place = await desk(['sunny'], { 'desk.ai': agentFile(input) });
  const terminal = talk(place);
  await terminal.prompts();
  terminal.type('Paris\rLyon');
  await terminal.shows(/does not fit[\s\S]*desk> Paris\n *… Lyon *$/);
  expect(place.model.requests).toHaveLength(0);
});

test('what was no answer to a question does not', async () => {
  const asks = { calls: [{ name: 'ask_user', input: { question: 'Which colour?', choices: ['red', 'blue'] } }] };
  const place = await desk([asks, 'It is blue.'], { 'desk.ai': agentFile(['models: local/m', 'ask: caller']) });
  await run(['desk.ai', 'hello'], place);
  const terminal = talk(place, ['--continue']);
  await terminal.say('pink');
  await terminal.shows(/"pink" is none of: red, blue\.[\s\S]*desk> *$/);
  await terminal.say('2');
  await terminal.shows('It is blue.');
});
