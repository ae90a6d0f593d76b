// What a model thinks between tags at the beginning of its text is reasoning: not its answer, and not sent back to it.

import { userMessage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';
import { call, hear, hearEveryWay, text, told } from './support/saying.ts';

const none = { tools: [] };

test.each([
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<seed:think>', '</seed:think>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
])('%s', async (open, close) => {
  const words = `\n${open}\nA < B, <b>, </thi…\n\nSo.${close}\n\n It is A.\n`;
  for (const asked of [none, {}]) {
    const heard = await hearEveryWay({ content: [text(words)] }, asked);
    expect(heard).toMatchObject({ thought: 'A < B, <b>, </thi…\n\nSo.', text: 'It is A.\n' });
    expect(heard.reply.message.content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  }
});

test.each([
  ['an empty thought is none', '<think>\n\n</think>\n\nYes.', '', 'Yes.'],
  ['an end without a beginning, first of all, goes', '\n</think>\n\nYes.', '', 'Yes.'],
  ['a thought that is all there is leaves no text', '<think>Hm.</think>\n', 'Hm.', ''],
  ['a thought that never ends', '<think>\nHm. </thin', 'Hm. </thin', ''],
  ['a thought that never ends, after a token', '[THINK]Hm. </thin', 'Hm. </thin', ''],
  ['a thought that ends late', `<think>Hm.${' Well.'.repeat(30)}</think>Yes.`, `Hm.${' Well.'.repeat(30)}`, 'Yes.'],
])('%s', async (_, words, thought, rest) => {
  for (const asked of [none, {}]) {
    const heard = await hearEveryWay({ content: [text(words)] }, asked);
    expect(heard).toMatchObject({ thought, text: rest });
    expect(heard.reply.message.content).toHaveLength((thought === '' ? 0 : 1) + (rest === '' ? 0 : 1));
  }
});

test.each([
  ['later in the text', 'I would say:\n<think>\nHm.\n</think>\nYes.'],
  ['in code', '`<think>` opens a thought, </think> ends it.'],
  ['in a fence', '```\n<think>\nHm.\n</think>\n```\n'],
  ['an end in a fence', 'The template:\n```\nfoo\n</think>\n```\n'],
  ['an end in a line', 'The tag </think> ends a thought.'],
  ['another tag', '<thinker>Hm.</thinker> <reasoning>Hm.</reasoning>'],
  ['a tag a prompt asks for', '<reasoning>Hm.</reasoning>\n<answer>Yes.</answer>'],
  ['half a tag', '<thi'],
  ['a tag that is spoken of', '<think> is a tag that models write.\nIt opens a thought.'],
  ['a tag alone', '<think> '],
])('%s, it is text', async (_, words) => {
  for (const asked of [none, {}])
    expect(await hearEveryWay({ content: [text(words)] }, asked)).toMatchObject({ text: words, thought: '' });
});

test('thoughts whose beginning the template wrote end at the tag', async () => {
  const { thought, text: rest } = await hear({ content: [text('Hm.\n\nWell.\n</think>\n\nYes.')] });
  expect({ thought, rest }).toEqual({ thought: 'Hm.\n\nWell.\n', rest: 'Yes.' });
});

test('then, streamed, the reply is the same, and a call behind the tag is never told', async () => {
  const leak = '<tool_call>{"name":"search","arguments":{"q":"tea"}}</tool_call>';
  const said = { content: [text(`Hm.\n</think>\n\nI look.\n${leak}\n`)] };
  const whole = await hear(said);
  expect(whole).toMatchObject({ thought: 'Hm.\n', text: 'I look.\n', calls: [['search', { q: 'tea' }]] });
  for (const size of [1, 2, 3, 7, 1000]) {
    const { reply, deltas } = await hear(said, {}, size);
    expect(reply).toEqual(whole.reply);
    expect(told(deltas, 'text')).not.toContain('tool_call');
    expect(told(deltas, 'text').endsWith('I look.\n')).toBe(true);
  }
});

test('a thought before a real call', async () => {
  const heard = await hearEveryWay({
    content: [text('<think>Hm.</think>'), call('{"q":"tea"}')],
    finish: 'tool-calls',
  });
  expect(heard).toMatchObject({ thought: 'Hm.', text: '', calls: [['search', { q: 'tea' }]] });
});

test('a thought that was cut is a thought', async () => {
  const heard = await hearEveryWay({ content: [text('<think>Hm. I')], finish: 'length' });
  expect(heard).toMatchObject({ thought: 'Hm. I', text: '', reply: { finishReason: 'length' } });
});

test('a tag that is spoken of, in several blocks, is told once', async () => {
  const content = [text('<think> is a tag'), text(' that models write.')];
  for (const asked of [none, {}])
    expect(await hearEveryWay({ content }, asked)).toMatchObject({ text: '<think> is a tag that models write.' });
  const cut = await hearEveryWay({ content, finish: 'length' });
  expect(cut).toMatchObject({ thought: 'is a tag', text: ' that models write.' });
});

test('where an API keeps thoughts apart, tags are text', async () => {
  const words = '<think>\nHm.\n</think>\nYes.';
  const heard = await hearEveryWay({ content: [text(words)], isKeptApart: true });
  expect(heard).toMatchObject({ text: words, thought: '' });
});

test('thoughts are told while they are thought', async () => {
  const { deltas } = await hear({ content: [text('<think>\nOne. Two. Three.</think>Yes.')] }, none, 1);
  expect(deltas.filter(({ type }) => type === 'reasoning').length).toBeGreaterThan(10);
});

test('what follows a thought is told as it comes, also where only its end showed that it was one', async () => {
  for (const opening of ['<think>\n', '<think>']) {
    const { deltas } = await hear({ content: [text(`${opening}Hm. Well.</think>One. Two. Three.`)] }, {}, 1);
    expect(told(deltas, 'reasoning')).toBe('Hm. Well.');
    expect(deltas.filter(({ type }) => type === 'text').length).toBeGreaterThan(10);
  }
});

test.each(ways)('they do not go back to who wrote them: %s', async (_, context) => {
  const bodies: { messages: unknown[] }[] = [];
  const { baseUrl } = await serve((_, response, body) => {
    const asked = JSON.parse(body);
    bodies.push(asked);
    const message = { role: 'assistant', content: '<think>Hm.</think>\n\nYes.' };
    const choice = { index: 0, [asked.stream ? 'delta' : 'message']: message, finish_reason: 'stop' };
    const reply = JSON.stringify({ id: '1', choices: [choice] });
    response.end(asked.stream ? `data: ${reply}\n\n` : reply);
  });
  const model = await modelAt(baseUrl);
  const { message } = await model.call(requestOf(), context());
  expect(message.content).toContainEqual(expect.objectContaining({ type: 'reasoning', text: 'Hm.' }));
  await model.call(requestOf({ messages: [userMessage('One.'), message, userMessage('Two.')] }), context());
  expect(bodies[1]?.messages.at(2)).toEqual({ role: 'assistant', content: 'Yes.' });
});
