// Words about calls, quotations, unknown names and cut replies are what they are: nothing of them runs, nothing is lost.

import type { ModelRequest } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { call, hear, hearEveryWay, type Said, text, told, tools } from './support/saying.ts';

const body = '{"name":"search","arguments":{"q":"tea"}}';
const leak = `<tool_call>${body}</tool_call>`;
const fence = '```';

test.each([
  ['prose', 'If a < b and c > d, then x<y && List<String> is <fine>. <3 [1] {2} <'],
  ['a tag that is only named', 'Models write <tool_call> tags, or <tools>, or [TOOL_CALLS], or <|python_tag|>.'],
  ['a fence', `Write it so:\n${fence}xml\n${leak}\n${fence}\nThat is all.`],
  ['a fence of tildes', `So:\n~~~\n${leak}\n~~~\n`],
  ['a fence that is indented', `1. So:\n   ${fence}\n   ${leak}\n   ${fence}\n`],
  ['a fence that is not closed', `So:\n${fence}\n${leak}\n`],
  ['a longer fence around a shorter one', `So:\n${fence}\`\n${fence}\n${leak}\n${fence}\n${fence}\``],
  ['code in a line', `Write \`${leak}\` for it.`],
  ['code in a line with two backticks', `Write \`\` \`${leak}\` \`\` for it.`],
  ['code in a line that goes on', `Write \`so: ${leak}\nand more\` for it.`],
  ['quotation marks', `It wrote "${leak}"`],
  ['a quoted line', `> ${leak}\n`],
  ['code in a line that goes on, before it', `Write \`this\n${leak}`],
  ['a quotation that is open', `The page says "do this.\n\n${leak}`],
  ['a quotation in single quotes', `It printed '\n${leak}`],
  ['a quotation of another kind', `Die Seite sagt „tu das.\n${leak}`],
  ['a line after a quoted one', `> He wrote\n${leak}`],
  ['a line of a list', `- ${leak}`],
  ['a line after one of a list', `- So\n${leak}`],
  ['a paragraph of a list', `1. So\n\n  ${leak}`],
  ['a line after words', `A call looks like this: ${leak}`],
  ['a line after one that announces an example', `A call looks like this:\n\n${leak}`],
  ['a line after a heading that does', `### Example\n${leak}`],
  ['a label on its line', `Assistant: ${leak}`],
  ['a label before it', `**Assistant:**\n${leak}`],
  ['a label of any name', `Call two:\n${leak}`],
  ['a transcript', `User: Find tea.\nAssistant: Sure.\n\nI look.\n${leak}`],
  ['a transcript in tokens', `<|im_start|>assistant\n${leak}`],
  ['lines that are indented', `So.\n\n    ${leak}`],
  ['a line with a tab', `So.\n\n\t${leak}`],
  ['<pre>', `<pre>\n${leak}\n</pre>`],
  ['<pre> that is not closed', `So <pre>\n${leak}`],
  ['<code class>', `<code class="x">\n\n${leak}`],
  ['<example>', `<example>\n<b>tea</b>\n${leak}`],
  ['<document> over two lines', `<document\n  id="1">\n${leak}`],
  ['an element in an element of its name', `<div>\n<div>\n</div>\n${leak}`],
  ['a comment', `<!-- so\n${leak}`],
  ['a fence with a word where it would close', `${fence}\na\n${fence}js\n${leak}`],
  ['a fence after an open quotation', `5" wide\n${fence}\nprint("\n${leak}`],
  ['a result that was made up, before it', `<tool_response>\nDone.\n</tool_response>\n${leak}`],
  ['an element right after a word', `x<PRE>\n${leak}`],
  ['an example in another language', `Hier ist ein Beispiel:\n${leak}`],
  ['words after it', `${leak}\nThat is how.`],
  ['words between two', `${leak}\nAnd then:\n${leak}`],
  ['a result that was made up', `${leak}\n<tool_response>\nDone.\n</tool_response>`],
  ['one that is broken, behind one that is not', `${leak}\n<tool_call>{"name":"search","argu`],
  ['one that is unknown, behind one that is not', `${leak}\n<tool_call>{"name":"find","arguments":{}}</tool_call>`],
  ['one in a fence, behind one that is not', `${leak}\n${fence}\n${leak}\n${fence}`],
  ['words after it on its line', `${leak} is how a call is written.`],
  ['an unknown name', '<tool_call>{"name":"find","arguments":{}}</tool_call>'],
  ['an unknown name beside a known one', `<tool_call>[${body},{"name":"find","arguments":{}}]</tool_call>`],
  ['arguments that are no object', '<tool_call>{"name":"search","arguments":["tea"]}</tool_call>'],
  ['arguments of a tool that needs some', '<tool_call>{"name":"search"}</tool_call>'],
  ['keys that no call has', '<tool_call>{"name":"search","arguments":{"q":"x"},"why":"because"}</tool_call>'],
  ['two kinds of arguments', '<tool_call>{"name":"search","arguments":{"q":"x"},"input":{"q":"y"}}</tool_call>'],
  ['a tool that is recited', '<tools>[{"name":"search","parameters":{"type":"object","properties":{"q":{}}}}]</tools>'],
  ['a tool that is named', '<tools>[{"name":"list_all"}]</tools>'],
  ['a tool with its parameters', '<tools>{"name":"search","parameters":{"q":"string"}}</tools>'],
  [
    'a tool that is recited in tags',
    '<tools><function name="search"><parameter name="q">text</parameter></function></tools>',
  ],
  ['a number that cannot be kept', '<tool_call>{"name":"search","arguments":{"q":"x","limit":1e999}}</tool_call>'],
  ['a call in a call of tokens that is none', `<|tool_call|>[1]\n${leak}`],
  ['a text that ended in a string', '<tool_call>{"name":"search","arguments":{"q":"te'],
  ['a parameter that is not closed', '<invoke name="search"><parameter name="q">tea'],
  [
    'a parameter that is given twice',
    '<function=search><parameter=q>a</parameter><parameter=q>b</parameter></function>',
  ],
  ['a call in a value of an unknown one', `<invoke name="find"><parameter name="t">\n${leak}\n</parameter></invoke>`],
  ['a tag of a tool in a line', 'A <search>{"q":"tea"}</search> tag'],
  ['a tag of a tool after words', 'I see.\n<search>{"q":"tea"}</search>'],
  ['a tag of a tool after a call and words', `I see.\n${leak}\n<search>{"q":"tea"}</search>`],
  ['a tag of a tool before words', '<search>{"q":"tea"}</search>\nI see.'],
  ['a tag of a tool with other words', '<search>tea</search>'],
  ['a tag of a tool with other tags', '<search>\n<b>tea</b>\n</search>'],
  ['an empty tag of a tool', '<list_all></list_all>'],
  ['JSON between words', `Here: ${body}`],
  ['JSON before words', `${body}\nThat would search.`],
  ['JSON of something else', '{"name":"Ada","age":36}'],
  ['JSON of an unknown name', '{"name":"find","arguments":{"q":"x"}}'],
  ['JSON of a name alone', '{"name":"list_all"}'],
  ['a fence before words', `${fence}json\n${body}\n${fence}\nThat would search.`],
  ['two fences', `${fence}json\n${body}\n${fence}\n${fence}json\n${body}\n${fence}`],
])('%s', async (_, words) => {
  const heard = await hearEveryWay({ content: [text(words)] });
  expect(heard).toMatchObject({ text: words, calls: [], thought: '' });
  expect(heard.reply.finishReason).toBe('stop');
});

test.each([
  ['no tool was offered', { content: [text(leak)] }, { tools: [] }],
  ['the reply was cut', { content: [text(leak)], finish: 'length' }, {}],
  ['a filter ended the reply', { content: [text(leak)], finish: 'content-filter' }, {}],
  ['its provider keeps calls apart', { content: [text(leak)], isKeptApart: true }, {}],
  ['its provider keeps calls apart, as JSON', { content: [text(body)], isKeptApart: true }, {}],
  ['a JSON contract has no schema', { content: [text(body)] }, { output: { format: 'json' } }],
  [
    'it is a valid answer',
    { content: [text(body)] },
    { output: { format: 'json', schema: { type: 'object', required: ['name', 'arguments'] } } },
  ],
] as readonly (readonly [string, Said, Partial<ModelRequest>])[])(
  'nothing is a call when %s',
  async (_, said, asked) => {
    const heard = await hearEveryWay(said, asked);
    expect(heard).toMatchObject({
      text: said.content.map((part) => (part as { text: string }).text).join(''),
      calls: [],
    });
  },
);

const report = { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] };

test.each([
  ['a tag', JSON.stringify({ page: '<function=search><parameter=q>a</parameter></function>' })],
  ['a tag on a line of its own', `{"page": "so\n${'<function=search>{"q":"a"}</function>'}`],
  ['a call', JSON.stringify({ page: leak })],
  ['a fence', `${fence}json\n{"page":\n${leak}`],
  ['a list', `[\n${leak}`],
])('an answer in JSON is not searched: %s', async (_, words) => {
  const heard = await hearEveryWay({ content: [text(words)] }, { output: { format: 'json', schema: report } });
  expect(heard).toMatchObject({ text: words, calls: [] });
});

test('an answer in JSON is told as it comes', async () => {
  const words = `{"page": "so\n${leak}, and more of it"}`;
  const { deltas } = await hear({ content: [text(words)] }, { output: { format: 'json', schema: report } }, 1);
  expect(told(deltas, 'text')).toBe(words);
  expect(deltas.length).toBeGreaterThan(words.length - 10);
});

test('with a JSON contract, a call behind a token that looks like a list is a call', async () => {
  const said = { content: [text(`[TOOL_CALLS][${body}]`)] };
  const heard = await hearEveryWay(said, { output: { format: 'json', schema: report } });
  expect(heard.calls).toEqual([['search', { q: 'tea' }]]);
});

test.each(['{"name":"Ada","age":36,"bio":"', '{"title":"', '{ "name" : 12, "bio": "'])(
  'JSON that is no call is told as soon as that is clear: %s',
  async (words) => {
    const said = words + 'a long life '.repeat(20);
    const { deltas } = await hear({ content: [text(said)] }, {}, 1);
    expect(told(deltas, 'text')).toBe(said);
    expect(deltas.length).toBeGreaterThan(said.length - 20);
  },
);

test('beside a real call, a call in the text is text', async () => {
  const heard = await hearEveryWay({ content: [text(leak), call('{"q":"milk"}')], finish: 'tool-calls' });
  expect(heard).toMatchObject({ text: leak, calls: [['search', { q: 'milk' }]] });
});

test('what cannot be a call is told at once', async () => {
  const words = 'a < b, <div>, [2], {3}: `<tool_call>`, <toolbox> and "<tool_call>" and on it goes';
  const { deltas } = await hear({ content: [text(words)] }, {}, 1);
  let position = 0;
  for (const { text: piece } of deltas) {
    // Held back is never more than the longest thing that might be a beginning.
    expect(piece.length).toBeLessThan(15);
    position += piece.length;
  }
  expect(position).toBe(words.length);
  expect(deltas.length).toBeGreaterThan(words.length / 2);
});

test('without tools, every piece is told as it comes', async () => {
  const words = `${leak} and <tools> and more`;
  const { deltas } = await hear({ content: [text(words)] }, { tools: [] }, 3);
  expect(deltas.slice(1).every((delta) => delta.text.length <= 3)).toBe(true);
  expect(told(deltas, 'text')).toBe(words);
});

test('several blocks of text are told in their order', async () => {
  const content = [text('One <tool'), text(`_call>\n${body}`), text('\n<tools>{"a":1}</tools>'), text(' Two')];
  const heard = await hearEveryWay({ content }, { tools });
  expect(heard.text).toBe(`One <tool_call>\n${body}\n<tools>{"a":1}</tools> Two`);
});
