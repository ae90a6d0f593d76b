// A call that a model wrote into its text is a call, whoever's way of writing it: whole, and streamed in whatever pieces.

import { callsOf, type ToolSpec } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { hear, hearEveryWay, text, tool, tools } from './support/saying.ts';

const one = ['search', { q: 'tea' }] as const;
const two = [one, ['search', { q: 'milk', limit: 2 }]] as const;
const body = '{"name": "search", "arguments": {"q": "tea"}}';
const second = '{"name":"search","arguments":{"q":"milk","limit":2}}';
const fence = '```';

/** Tags with an optional namespace. */
const invoke = (name: string, inner: string, space = '') => `<${space}invoke name="${name}">${inner}</${space}invoke>`;
const parameter = (name: string, value: string, space = '') =>
  `<${space}parameter name="${name}">${value}</${space}parameter>`;
const wrap = (name: string, inner: string) => `<${name}>\n${inner}\n</${name}>`;
const tea = (space = '') => invoke('search', parameter('q', 'tea', space), space);
const milk = invoke('search', parameter('q', 'milk') + parameter('limit', '2'));
const qwen = (name: string, entries: Readonly<Record<string, string>>) =>
  `<function=${name}>\n${Object.entries(entries)
    .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
    .join('')}</function>`;

type Calls = readonly (readonly [string, unknown])[];

const families: readonly (readonly [string, string, Calls])[] = [
  ['tool_call', `<tool_call>\n${body}\n</tool_call>`, [one]],
  ['several tool_calls', `<tool_call>${body}</tool_call>\n<tool_call>\n${second}\n</tool_call>`, two],
  ['several in one tool_call', `<tool_call>\n${body}\n${second}\n</tool_call>`, two],
  ['a list in one tool_call', `<tool_call>[${body}, ${second}]</tool_call>`, two],
  ['tool_call that is not closed', `<tool_call>\n${body}\n`, [one]],
  ['parameters', '<tool_call>{"name":"search","parameters":{"q":"tea"}}</tool_call>', [one]],
  ['input', '<tool_call>{"name":"search","input":{"q":"tea"}}</tool_call>', [one]],
  ['arguments as a string', '<tool_call>{"name":"search","arguments":"{\\"q\\":\\"tea\\"}"}</tool_call>', [one]],
  ['no arguments', '<tool_call>{"name":"list_all"}</tool_call>', [['list_all', {}]]],
  ['a call as OpenAI writes it', `<tool_call>{"type":"function","id":"1","function":${body}}</tool_call>`, [one]],
  ['a fence in a tag', `<tool_call>\n${fence}json\n${body}\n${fence}\n</tool_call>`, [one]],
  ['a brace too many', `<tool_call>\n${body}}\n</tool_call>`, [one]],
  ['a comma too many', '<tool_call>{"name":"search","arguments":{"q":"tea",}}</tool_call>', [one]],
  ['tool_calls around tool_call', wrap('tool_calls', `<tool_call>${body}</tool_call>`), [one]],
  ['tools', `<tools>${body}</tools>`, [one]],
  ['function_call', `<function_call>${body}</function_call>`, [one]],
  ['function', `<function>${body}</function>`, [one]],
  ['function=', '<function=search>{"q": "tea"}</function>', [one]],
  ['function= with damaged JSON', "<function=search>{'q': 'tea'}</function>", [one]],
  ['function= without arguments', '<function=list_all>\n</function>', [['list_all', {}]]],
  ['function= with parameters', wrap('tool_call', qwen('search', { q: 'milk', limit: '2' })), two.slice(1)],
  ['a lost first tag', `${qwen('search', { q: 'tea' })}\n</tool_call>`, [one]],
  ['function name=', '<function name="search"><parameter name="q">tea</parameter></function>', [one]],
  ['function name= with JSON', `<function name='search'>{"q":"tea"}</function>`, [one]],
  ['invoke', tea(), [one]],
  ['function_calls around invokes', wrap('function_calls', `${tea()}\n${milk}`), two],
  ['a namespace', wrap(`${'antml'}:function_calls`, tea(`${'antml'}:`)), [one]],
  ['a namespace around tags without one', wrap('minimax:tool_call', tea()), [one]],
  ['a mark in place of a namespace', wrap('｜DSML｜function_calls', tea('｜DSML｜')), [one]],
  ['an attribute more', '<invoke name="search"><parameter name="q" string="true">tea</parameter></invoke>', [one]],
  ['mixed parameter tags', invoke('search', `${parameter('q', 'milk')}<limit>2</limit>`), two.slice(1)],
  ['a parameter closed by its name', invoke('search', '<parameter name="q">tea</q>'), [one]],
  ['a tag named after the tool', '<search>{"q": "tea"}</search>', [one]],
  ['with a tag per argument', '<search>\n<q>milk</q>\n<limit>2</limit>\n</search>', two.slice(1)],
  ['entities in XML', '<search><q>a &lt; b &amp;amp; c</q></search>', [['search', { q: 'a < b &amp; c' }]]],
  ['no entities elsewhere', invoke('search', parameter('q', 'a &lt; b')), [['search', { q: 'a &lt; b' }]]],
  [
    'keys and values in turn',
    '<tool_call>search\n<arg_key>q</arg_key>\n<arg_value>tea</arg_value>\n</tool_call>',
    [one],
  ],
  ['[TOOL_CALLS] with a list', `[TOOL_CALLS][${body}, ${second}]`, two],
  ['[TOOL_CALLS] with names', '[TOOL_CALLS]search{"q": "tea"}[TOOL_CALLS]search{"q":"milk","limit":2}', two],
  ['[TOOL_CALLS] with [ARGS]', '[TOOL_CALLS]search[CALL_ID]abc123456[ARGS]{"q": "tea"}</s>', [one]],
  ['<|tool_call|>', `<|tool_call|>[${body}]<|/tool_call|>`, [one]],
  ['<|python_tag|>', '<|python_tag|>{"name": "search", "parameters": {"q": "tea"}}<|eom_id|>', [one]],
  ['several after <|python_tag|>', `<|python_tag|>${body}; ${second}`, two],
  [
    'tokens with a fence',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n${fence}json\n{"q": "tea"}\n${fence}<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n${fence}json\n{"q":"milk","limit":2}\n${fence}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
    two,
  ],
  [
    'tokens without a fence',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{"q":"tea"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    [one],
  ],
  [
    'a section',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"tea"}<|tool_call_end|><|tool_calls_section_end|>',
    [one],
  ],
  ['bare JSON', body, [one]],
  ['bare JSON, damaged', `{'name': 'search', 'arguments': {'q': 'tea'}}`, [one]],
  ['a list of bare JSON', `[${body},\n${second}]`, two],
  [
    'a call of no arguments among others',
    `<tool_call>{"name":"list_all"}</tool_call>\n${tea()}`,
    [['list_all', {}], one],
  ],
  ['a token at the end', `<tool_call>${body}</tool_call><|im_end|>\n`, [one]],
];

test.each(families)('%s', async (_, words, calls) => {
  const heard = await hearEveryWay({ content: [text(words)] });
  expect(heard.calls).toEqual(calls);
  expect(heard.text).toBe('');
  expect(heard.reply.finishReason).toBe('tool-calls');
});

const inText = families.filter(([, words]) => /^[<[](?!\{)/.test(words));
const afterWords = inText.filter(([, words]) => !words.startsWith('<search>'));
const before = '\n I look: 2 < 3, a[1], it\'s "so", `<a>`, List<String> and <b>bold</b>:\n\n';

test.each(afterWords)('%s, after words and blanks', async (_, words, calls) => {
  for (const blanks of ['', '   ']) {
    const heard = await hearEveryWay({ content: [text(`${before}${blanks}${words}`)] });
    expect(heard.calls).toEqual(calls);
    expect(heard.text).toBe(before + blanks);
  }
});

test.each([
  ['a line', 'I look it up.\n'],
  ['an announcement', 'Let me look that up for you:\n'],
  ['a fence that is closed', `As here:\n\n${fence}ts\nconst a = "<b>";\n${fence}\nSo I look.\n`],
  ['a list that is over', '- one\n- two\n\n'],
  ['a quotation that is over', '> He said "tea.\n\nSo I look.\n'],
  ['elements that are closed', '<details>\n<pre>"a</pre>\n</details>\nSo<br>I look.\n'],
  ['a comment that is closed', '<!-- "tea -->\n'],
  ['apostrophes', "It's in the users' list, l'été d'école, rock 'n' roll.\n"],
  ['a comparison', 'It is a <b, so I look.\n'],
])('after %s', async (_, words) => {
  const heard = await hearEveryWay({ content: [text(`${words}<tool_call>${body}</tool_call>`)] });
  expect(heard).toMatchObject({ text: words, calls: [one] });
});

test('a tag named after a tool with a prefix may stand after words', async () => {
  const words = 'I write.\n<files__write><path>a</path></files__write>';
  const heard = await hearEveryWay({ content: [text(words)] });
  expect(heard).toMatchObject({ text: 'I write.\n', calls: [['files__write', { path: 'a' }]] });
});

test.each([
  ['JSON', `${fence}json\n${body}\n${fence}`],
  ['tags', `${fence}xml\n<tool_call>${body}</tool_call>\n${fence}\n`],
])('a fence that is the text shows something, unless the server says that it was a call: %s', async (_, words) => {
  const shown = await hearEveryWay({ content: [text(words)], finish: 'stop' });
  expect(shown).toMatchObject({ text: words, calls: [] });
  const made = await hearEveryWay({ content: [text(words)], finish: 'tool-calls' });
  expect(made).toMatchObject({ text: '', calls: [one] });
});

test('several blocks are one text, and what is bound to them stays', async () => {
  const content = [text('I look.\n'), text(`<tool_call>${body}`), text('</tool_call>\n')];
  expect(await hearEveryWay({ content })).toMatchObject({ text: 'I look.\n', calls: [one] });
  const bound = { ...text('I look.\n'), providerMetadata: { p: { id: '1' } } } as ReturnType<typeof text>;
  const { reply } = await hear({ content: [bound, ...content.slice(1)] });
  const parts = [{ type: 'text', text: 'I look.\n', bound: { 'p/m': { p: { id: '1' } } } }, { type: 'tool-call' }];
  expect(reply.message.content).toMatchObject(parts);
});

test.each(inText)('%s, after a thought', async (_, words, calls) => {
  const heard = await hearEveryWay({ content: [text(`<think>\nHm, <tool_call>?\n</think>\n\n${words}`)] });
  expect(heard.calls).toEqual(calls);
  expect(heard).toMatchObject({ text: '', thought: 'Hm, <tool_call>?\n' });
});

test.each([
  ['tags around functions', wrap('tool_call', qwen('search', { q: 'tea' }))],
  ['tags named after the tool', '<search><q>tea</q></search>'],
  ['invokes', tea()],
])('many calls in a row: %s', async (_, words) => {
  for (const between of ['', '\n', '\n\n']) {
    const { calls, text: rest } = await hearEveryWay({ content: [text(Array(9).fill(words).join(between))] });
    expect(calls).toEqual(Array(9).fill(one));
    expect(rest).toBe('');
  }
});

test('each call has an id of its own, in its message and in the conversation', async () => {
  const said = { content: [text(`<tool_call>${body}${body}</tool_call>`)] };
  const { reply } = await hear(said);
  const later = await hear(said, { messages: [reply.message, reply.message, reply.message] });
  const ids = [reply, later.reply].flatMap(({ message }) => callsOf(message).map(({ id }) => id));
  expect(ids.every((id) => /^[\w-]+$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(4);
});

test('values have the types of the schema', async () => {
  const values = {
    q: '007',
    limit: '7',
    exact: 'True',
    tags: '["a", "b"]',
    since: 'null',
    where: '{"a": 1}',
    other: '12',
    more: '[1]',
  };
  const expected = {
    q: '007',
    limit: 7,
    exact: true,
    tags: ['a', 'b'],
    since: null,
    where: { a: 1 },
    other: '12',
    more: [1],
  };
  const invoked = Object.entries(values).map(([key, value]) => parameter(key, value));
  for (const words of [qwen('search', values), invoke('search', invoked.join('\n'))])
    expect((await hear({ content: [text(words)] })).calls).toEqual([['search', expected]]);
});

test('a value that does not fit its type stays as it was written, for whoever validates', async () => {
  const { calls } = await hear({ content: [text(qwen('search', { q: 'x', limit: 'many', tags: '["a"' }))] });
  expect(calls).toEqual([['search', { q: 'x', limit: 'many', tags: '["a"' }]]);
});

test('text between tags is kept, with all its lines, quotes and tags', async () => {
  const code = '  <b>"x"</b>\n```ts\nif (a < b) {}\n```\n\n{"name": "search"}  ';
  const { calls } = await hearEveryWay({ content: [text(qwen('files__write', { path: 'a', body: code }))] });
  expect(calls).toEqual([['files__write', { path: 'a', body: code }]]);
});

const several: readonly ToolSpec[] = [...tools, tool('web__find'), tool('mail__find')];

test.each([
  ['files__write', 'files__write'],
  ['write', 'write'],
  ['any__search', 'any__search'],
  ['functions.search', 'search'],
  ['find', undefined],
  ['Search', undefined],
])('the name a call of %s has', async (name, meant) => {
  const words = `<tool_call>{"name":"${name}","arguments":{"q":""}}</tool_call>`;
  const { calls } = await hear({ content: [text(words)] }, { tools: several });
  expect(calls.map(([called]) => called)).toEqual(meant === undefined ? [] : [meant]);
});

test('with a JSON contract, a call that cannot be the answer is a call', async () => {
  const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
  const heard = await hearEveryWay({ content: [text(body)] }, { output: { format: 'json', schema } });
  expect(heard.calls).toEqual([one]);
});
