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

const asked = async (form: object = schema) => {
  const model = await served((request) => {
    const [heard] = resultsIn(request);
    return heard ?? { calls: [{ name: 'ask_user', input: { question: 'Which ship?', schema: form } }] };
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

test('each in its own form; what may be left out is left out; what does not fit is asked again alone', async () => {
  const terminal = await asked();
  await answer(terminal, /desk asks:\n {2}Which ship\?\n {2}name, Name: of the ship\n> *$/, 'Anna\r');
  await answer(terminal, / {2}crew\n {2}It must be a whole number, at least 1\.\nA number: *$/, 'many\r');
  await answer(terminal, /Answer with a number\.\nA number: *$/, '0\r');
  await answer(terminal, /It must be at least 1\.\nA number: *$/, '1.5\r');
  await answer(terminal, /It must be a whole number\.\nA number: *$/, '7\r');
  await answer(terminal, / {2}size \(Enter leaves it out\)\n {2}1\. Small \(s\)\n {2}2\. l\n1-2: *$/, 'small\r');
  await answer(terminal, / {2}isNew \(Enter for false\)\n\[yes\/no\] *$/, 'yes\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('{"name":"Anna","crew":7,"size":"s","isNew":true}');
});

test('several of a list are chosen by number, word or title; what has no form of its own is JSON, and alone', async () => {
  const several = {
    type: 'array',
    items: {
      anyOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
    },
  };
  const terminal = await asked({
    type: 'object',
    properties: {
      flags: { ...several, minItems: 1 },
      decks: { type: 'array', items: { type: 'string', enum: ['upper', 'lower'] } },
      rank: { type: 'string', enum: ['1', '2'], enumNames: ['First', 'Second'] },
      berth: { type: 'object', properties: { pier: { type: 'integer' } } },
      code: { type: 'string', pattern: '^[A-Z]+$' },
    },
    required: ['flags', 'decks', 'rank', 'berth', 'code'],
  });
  const anyOf = 'Any of 1-2, with commas, or none: *$';
  await answer(
    terminal,
    /flags\n {2}1\. Red \(r\)\n {2}2\. Green \(g\)\n {2}It must be 1 of them or more\.\nAny/,
    'none\r',
  );
  await answer(terminal, new RegExp(`none\nIt must be 1 of them or more\\.\n${anyOf}`), 'green, blue\r');
  await answer(terminal, new RegExp(`Choose among them: .*\n${anyOf}`), 'green, 1\r');
  await answer(terminal, new RegExp(`decks\n {2}1\\. upper\n {2}2\\. lower\n${anyOf}`), 'none\r');
  await answer(terminal, /rank\n {2}1\. First \(1\)\n {2}2\. Second \(2\)\n1-2: *$/, 'second\r');
  await answer(terminal, /berth\nThe answer is JSON: .*"pier".*\nJSON: *$/, '{"pier":4}\r');
  await answer(terminal, /code\n> *$/, 'x\r');
  await answer(terminal, /does not fit: "code" [\s\S]*\n {2}code\n> *$/, 'X\r');
  expect(await terminal.ended).toBe(0);
  const filled = '{"flags":["g","r"],"decks":[],"rank":"2","berth":{"pier":4},"code":"X"}';
  expect(terminal.history().join('')).toContain(filled);
});

test.each([
  ['email', 'an e-mail address', 'anna', 'anna@example.com'],
  ['uri', 'an address such as https://example.com', 'example', 'https://example.com/a'],
  ['date', 'a date such as 2026-01-31', '2026-06-31', '2026-06-30'],
])('a text of the format %s is said and held to be %s', async (format, words, wrong, right) => {
  const terminal = await asked({ type: 'object', properties: { it: { type: 'string', format, maxLength: 40 } } });
  await answer(terminal, new RegExp(`It must be ${words}, 40 letters at most\\.\n> *$`), `${wrong}\r`);
  await answer(terminal, new RegExp(`It must be ${words}\\.\n> *$`), `${right}\r`);
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('')).toContain(JSON.stringify({ it: right }));
});

test('an empty line twice where a value is needed gives no answer at all', async () => {
  const terminal = await asked();
  await answer(terminal, /of the ship\n> *$/, '\r');
  await answer(terminal, /It is needed\. .*\n> *$/, '\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('the person gave no answer');
});
