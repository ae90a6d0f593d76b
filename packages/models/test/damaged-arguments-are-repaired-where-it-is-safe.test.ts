// Arguments with a slip in their JSON are read as they can only have been meant; where one would have to guess, they stay.

import { callsOf } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { call, hear, hearEveryWay } from './support/saying.ts';

const q = (value: unknown) => ({ q: value });
const fence = '```';

test.each([
  ['a fence', `${fence}json\n{"q": "tea"}\n${fence}`, q('tea')],
  ['a fence in one line', `${fence}{"q": "tea"}${fence}`, q('tea')],
  ['a trailing comma', '{"q": "tea", "tags": ["a", "b",],}', { q: 'tea', tags: ['a', 'b'] }],
  ['single quotes', "{'q': 'tea \"black\" and it\\'s'}", q('tea "black" and it\'s')],
  [
    'words of Python',
    '{"q": "None, True", "exact": True, "since": None, "more": False}',
    {
      q: 'None, True',
      exact: true,
      since: null,
      more: false,
    },
  ],
  ['raw line breaks and tabs', '{"q": "one\ntwo\tthree\r\nfour \\n five"}', q('one\ntwo\tthree\r\nfour \n five')],
  ['a missing last bracket', '{"q": "tea", "tags": ["a", "b"]', { q: 'tea', tags: ['a', 'b'] }],
  ['several missing last brackets', '{"q": "tea", "where": {"a": ["b"', { q: 'tea', where: { a: ['b'] } }],
  ['a bracket too many', '{"q": "tea"}}', q('tea')],
  ['comments', '{"q": "tea // not one", // the words\n /* as\n many */ "limit": 2}', { q: 'tea // not one', limit: 2 }],
  ['bare keys', '{q: "tea", limit: -1.5e3}', { q: 'tea', limit: -1500 }],
  ['a text of an object', '"{\\"q\\": \\"tea\\"}"', q('tea')],
  ['blanks around', '\n {"q": "tea",} \n', q('tea')],
  [
    'a key of one object in another',
    "{'q': 'a', 'where': {'q': 'b'}, 'tags': [{q: 1}, {q: 2}]}",
    { q: 'a', where: { q: 'b' }, tags: [q(1), q(2)] },
  ],
  ['escapes', '{"q": "\\u00e9\\\\d \\"x\\" \\/",}', q('é\\d "x" /')],
])('%s', async (_, input, expected) => {
  const heard = await hearEveryWay({ content: [call(input)], finish: 'tool-calls' });
  expect(heard.calls).toEqual([['search', expected]]);
});

test.each([
  ['a text that ended inside a string', '{"q": "tea and mi'],
  ['one that ended inside a number', '{"q": "tea", "limit": 12'],
  ['one that ended after a comma', '{"q": "tea", '],
  ['one that ended after a colon', '{"q": "tea", "limit":'],
  ['one that ended after a key', '{"q": "tea", "limit"'],
  ['two objects', '{"q": "tea"}{"q": "milk"}'],
  ['two objects with a comma', '{"q": "tea"}, {"q": "milk"}'],
  ['a list', '[{"q": "tea"}]'],
  ['a damaged list', '[{"q": "tea",}]'],
  ['a text that is no object', '"tea"'],
  ['a number', '12'],
  ['words', 'search for tea'],
  ['words around it', 'Here: {"q": "tea"}'],
  ['quotes that are not escaped', '{"q": "say "tea" now"}'],
  ['quotes that hide a key', '{"q": "say "limit": 1 now"}'],
  ['an apostrophe in single quotes', "{'q': 'it's'}"],
  ['a backslash that escapes nothing', '{"q": "C:\\dir\\new", }'],
  ['a word without quotes', '{"q": tea}'],
  ['words without quotes', '{"q": black tea, "limit": 1}'],
  ['numbers that JSON has not', '{"q": "tea", "limit": .5}'],
  ['numbers with zeros before', '{"q": "tea", "limit": 007}'],
  ['a call in place of a value', '{"q": ObjectId("1")}'],
  ['dots', '{"q": "tea", "tags": ["a", ...]}'],
  ['a bracket of the other kind', '{"q": "tea", "tags": ["a", "b"}'],
  ['a missing value', '{"q": , "limit": 1}'],
  ['a missing key', '{"q": "tea", : 1}'],
  ['a required key that is missing', "{'limit': 1}"],
  ['two texts side by side', '{"q": "tea" "milk"}'],
  ['a key that is given twice', "{'q': 'a', 'q': 'b'}"],
  ['a key that is given twice, further in', "{'q': 'a', 'where': {a: 1, 'a': 2}}"],
  ['a key that is given twice, one of them escaped', '{"q": "a", "\\u0071": "b",}'],
  ['a number that is too large', "{'q': 'a', 'limit': 1e999}"],
  ['a number with too many digits', '{"q": "a", "limit": 12345678901234567890,}'],
  ['such a number in a fence', `${fence}json\n{"q": "a", "limit": 1e999}\n${fence}`],
  ['nothing, for a tool that needs something', ''],
])('%s is left as it is', async (_, input) => {
  const { reply } = await hearEveryWay({ content: [call(input)], finish: 'tool-calls' });
  expect(callsOf(reply.message)).toMatchObject([{ id: 'real', name: 'search', input }]);
});

test('also where an API keeps calls apart from the text', async () => {
  const { calls } = await hearEveryWay({ content: [call("{'q': 'tea'}")], finish: 'tool-calls', isKeptApart: true });
  expect(calls).toEqual([['search', { q: 'tea' }]]);
});

test('a reply that was cut is left as it is', async () => {
  const { reply } = await hear({ content: [call("{'q': 'tea'}")], finish: 'length' });
  expect(callsOf(reply.message)).toMatchObject([{ input: "{'q': 'tea'}" }]);
});

test.each(['', ' \n'])('%j is no arguments for a tool that needs none', async (input) => {
  const { reply } = await hear({ content: [call(input, 'list_all')] });
  expect(callsOf(reply.message)).toMatchObject([{ input: '{}' }]);
});

test('what is right stays as it was written, to the last blank', async () => {
  const input = ' {"q" : "tea", "q": "milk", "limit": 12345678901234567890 }';
  const { reply } = await hear({ content: [call(input)] });
  expect(callsOf(reply.message)).toMatchObject([{ input }]);
});

test('arguments of a tool nobody offered are left to who tells the model', async () => {
  const { reply } = await hear({ content: [call("{'q': 1}", 'find')] });
  expect(callsOf(reply.message)).toMatchObject([{ input: "{'q': 1}" }]);
});

test('one call among several is repaired, and what is bound to it stays', async () => {
  const bound = { ...call('{"q": 1,}'), providerMetadata: { p: { signature: 's' } } } as ReturnType<typeof call>;
  const { reply, calls } = await hear({ content: [call('{"q":"tea"}'), bound] });
  expect(calls.map(([, input]) => input)).toEqual([{ q: 'tea' }, { q: 1 }]);
  expect(callsOf(reply.message)[1]?.bound).toEqual({ 'p/m': { p: { signature: 's' } } });
});
