// Prompts of older agents have models put tags around the final report. Callers get what is inside; the model's words are kept.

import type { Agent } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const open = '<ai-agent-a1b2c3d4-FINAL format="markdown">';
const close = '</ai-agent-a1b2c3d4-FINAL>';
const meta = '<ai-agent-a1b2c3d4-META plugin="mood">{"mood":"good"}</ai-agent-a1b2c3d4-META>';
const fence = '```';
const shown = `${fence}xml\n${open}\nThe report.\n${close}\n${fence}`;

const answerOf = async (text: string, more: Partial<Agent> = {}) => (await walk(agent('desk', [text], more))).outcome;

describe('the report is', () => {
  test.each([
    ['what is inside', `${open}Forty-two.${close}`, 'Forty-two.'],
    ['without the blanks at its ends', `\n  ${open}\n\n# Tea\n\n- milk\n\n${close}\n`, '# Tea\n\n- milk'],
    [
      'the same with attributes in any order',
      '<ai-agent-zz99-FINAL x="1" format=\'text\'>A</ai-agent-zz99-FINAL>',
      'A',
    ],
    ['the same without any', '<ai-agent-abcd-FINAL>A</ai-agent-abcd-FINAL>', 'A'],
    ['the same with blanks in the tags', '<ai-agent-abcd-FINAL >A</ai-agent-abcd-FINAL >', 'A'],
    ['the same with a long nonce', '<ai-agent-0123456789abcdef-FINAL>A</ai-agent-0123456789abcdef-FINAL>', 'A'],
    ['all to the end, if nobody closes it', `${open}Forty\ntwo.`, 'Forty\ntwo.'],
    ['without half a tag at the end', `${open}Forty-two.</ai-agent-a1b2`, 'Forty-two.'],
    ['closed by a tag that is nearly the same', `${open}A</ai-agent-a1b2c3d5-FINAL> B`, 'A'],
    ['without the words around it', `Here it is.\n${open}A${close}\nAnything else?`, 'A'],
    ['without the words on its line', `Here it is: ${open}A${close} - done.`, 'A'],
    ['the words around it, if it is empty', `Forty-two.\n${open} ${close}`, 'Forty-two.'],
    ['the last one', `${open}draft${close}\n${open}A${close}`, 'A'],
    ['the last one that is closed', `${open}A${close}\n${open}cut`, 'A'],
    ['the last one that says something', `${open}A${close}\n${open}${close}`, 'A'],
    ['the one that was begun again', `${open}draft\n${open}A${close}`, 'A'],
    ['what is before a closing tag that was never opened', `Forty-two.${close}\n`, 'Forty-two.'],
    ['without metadata beside it', `${open}A${close}\n${meta}`, 'A'],
    ['without metadata in it', `${open}A\n${meta}\nB${close}`, 'A\n\nB'],
    ['without metadata that is never closed', `${open}A\n${meta.slice(0, 60)}${close}`, 'A'],
    ['after metadata', `${meta}${open}A${close}`, 'A'],
    ['the plain words beside metadata', `Forty-two.\n${meta}`, 'Forty-two.'],
    ['with the tags that it shows in code', `${open}So:\n${shown}\nEnd.${close}`, `So:\n${shown}\nEnd.`],
    ['closed at the end, though its code is not', `${open}So:\n${fence}\na < b\n${close}\n`, `So:\n${fence}\na < b`],
  ])('%s', async (_, text, report) => {
    expect(await answerOf(text)).toMatchObject({ status: 'completed', text: report });
    expect(await answerOf(text, { output: { format: 'markdown' } })).toMatchObject({ text: report });
  });
});

describe('nothing is taken out of an answer that only shows the tags:', () => {
  test.each([
    ['in a fenced block', `Models wrote:\n\n${shown}\n\nToday they need not.`],
    ['in a fenced block of a list', `1. ${fence}xml\n   ${open}\n   ${fence}\n2. Done.`],
    ['in a block of tildes that shows a fence', `~~~\n${fence}\n${open}A${close}\n~~~\nDone.`],
    ['in an indented block', `Models wrote:\n\n    ${open}A${close}\n\nOften.`],
    ['in a line of code', `Put it between \`${open}\` and \`${close}\`, said the page.`],
    ['in quotation marks', `It said "${open}A${close}", as it had to.`],
    ['at the end of code that is never closed', `It ends so:\n${fence}\n${close}`],
    ['in a sentence', `The log shows ${open} twice, and no end.`],
    ['as half of one in a sentence', 'It begins with <ai-agent-'],
    ['with a nonce that is none', '<ai-agent-a-FINAL>A</ai-agent-a-FINAL>'],
    ['with another name', '<ai-agent-a1b2c3d4-DRAFT>A</ai-agent-a1b2c3d4-DRAFT>'],
    ['by its name alone', 'Our package is called ai-agent-core.'],
  ])('%s', async (_, text) => {
    expect(await answerOf(text)).toMatchObject({ status: 'completed', text });
  });
});

describe('a JSON report', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  const output = { format: 'json', schema } as const;
  const json = '<ai-agent-a1b2c3d4-FINAL format="json">';

  test.each([
    ['inside', `I am done.\n${json}\n{"a": "b"}\n${close}\n${meta}`],
    ['in a fence inside', `${json}${fence}json\n{"a": "b"}\n${fence}${close}`],
    ['never closed', `${json}{"a": "b"}`],
  ])('is read %s', async (_, text) => {
    expect(await answerOf(text, { output })).toMatchObject({ status: 'completed', report: { a: 'b' } });
  });

  test('is read when a caller asks for it, without another turn', async () => {
    const desk = agent('desk', [`Done.\n${json}{"a":"b"}${close}`]);
    const { outcome } = await walk(desk, 'go', { output });
    expect(outcome).toMatchObject({ status: 'completed', report: { a: 'b' } });
    expect(desk.model.requests).toHaveLength(1);
  });

  test('may tell of tags', async () => {
    const report = { a: `use ${open} and ${close}` };
    expect(await answerOf(JSON.stringify(report), { output })).toMatchObject({ report });
  });

  test('that breaks its contract is sent back, and the model sees what it said', async () => {
    const wrong = `${json}{"b":1}${close}`;
    const desk = agent('desk', [wrong, `${json}{"a":"b"}${close}`], { output });
    const { outcome } = await walk(desk);
    expect(outcome).toMatchObject({ status: 'completed', report: { a: 'b' } });
    expect(desk.model.requests[1]?.messages[1]).toMatchObject({ content: [{ type: 'text', text: wrong }] });
  });
});

describe('the same rule holds', () => {
  test('for an answer that the output limit cut', async () => {
    const cut = { text: `${open}As far as`, finishReason: 'length' } as const;
    const { outcome } = await walk(agent('desk', [cut]));
    expect(outcome).toMatchObject({ status: 'partial', limit: 'maxOutputTokens', text: 'As far as' });
  });

  test('for an empty one, which is sent back', async () => {
    const desk = agent('desk', [`${open}\n${close}`, 'Forty-two.']);
    expect((await walk(desk)).outcome).toMatchObject({ status: 'completed', text: 'Forty-two.' });
    expect(desk.model.requests).toHaveLength(2);
  });

  test('for the last words of a run that came to no answer', async () => {
    const failing = { fail: { code: 'model-auth' } } as const;
    const looking = { text: `${open}So far: tea.${close}`, calls: [{ name: 'nothing' }] };
    const { outcome } = await walk(agent('desk', [looking, failing]));
    expect(outcome).toMatchObject({ status: 'failed', text: 'So far: tea.' });
  });
});

test('the conversation keeps what the model said', async () => {
  const said = `Here.\n${open}A${close}`;
  const { events } = await walk(agent('desk', [said]));
  const end = events.find(({ type }) => type === 'model-end');
  expect(end).toMatchObject({ reply: { message: { role: 'assistant', content: [{ type: 'text', text: said }] } } });
});

test('a text of nothing but tags is read in no time', async () => {
  const tags = [
    `${open}\n`,
    `a ${open}`,
    `\`${close}`,
    `${fence}\n${close}\n`,
    '<',
    `${meta} `,
    '<ai-agent-',
    `${open} `,
  ];
  for (const tag of tags) {
    const start = performance.now();
    await answerOf(`${tag.repeat(10_000)}x`);
    expect(performance.now() - start, tag).toBeLessThan(2000);
  }
});
