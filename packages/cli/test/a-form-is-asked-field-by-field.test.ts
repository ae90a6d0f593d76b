// A question that wants several values at once is asked one value after the other: nobody writes JSON by hand.

import { expect, test } from 'vitest';
import { resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider } from './support/command.ts';
import { type InTerminal, startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'of the ship' },
    crew: { type: 'integer', minimum: 1 },
    size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
    isNew: { type: 'boolean', default: false },
  },
  required: ['name', 'crew'],
};

const asked = async () => {
  const model = await served((request) => {
    const [heard] = resultsIn(request);
    return heard ?? { calls: [{ name: 'ask_user', input: { question: 'Which ship?', schema } }] };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'ask: person']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return startInTerminal(['desk.ai', 'hello'], { cwd });
};

const answer = async (terminal: InTerminal, shown: RegExp, keys: string) => {
  await terminal.shows(shown);
  terminal.type(keys);
};

test('each in its own form; what may be left out is left out; what does not fit is asked again', async () => {
  const terminal = await asked();
  await answer(terminal, /desk asks:\n {2}Which ship\?\n {2}name, Name: of the ship\n> *$/, 'Anna\r');
  await answer(terminal, / {2}crew\nA number: *$/, 'many\r');
  await answer(terminal, /Answer with a number\.\nA number: *$/, '0\r');
  await answer(terminal, / {2}size \(Enter leaves it out\)\n {2}1\. s\n {2}2\. l\n1-2: *$/, '2\r');
  await answer(terminal, / {2}isNew \(Enter for false\)\n\[yes\/no\] *$/, '\r');
  await answer(terminal, /does not fit: [\s\S]*crew[\s\S]*\n {2}name, Name: of the ship\n> *$/, 'Berit\r');
  await answer(terminal, /Berit\n {2}crew\nA number: *$/, '7\r');
  await answer(terminal, /7\n {2}size .*\n.*\n.*\n1-2: *$/, '\r');
  await answer(terminal, /1-2: *\n {2}isNew .*\n\[yes\/no\] *$/, 'yes\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('{"name":"Berit","crew":7,"isNew":true}');
});

test('an empty line twice where a value is needed gives no answer at all', async () => {
  const terminal = await asked();
  await answer(terminal, /of the ship\n> *$/, '\r');
  await answer(terminal, /It is needed\. .*\n> *$/, '\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('the person gave no answer');
});
