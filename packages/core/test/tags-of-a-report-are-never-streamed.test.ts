// Whoever looks on sees the report grow, and never its tags, nor half of one, however the text was cut into pieces.

import { type AgentEvent, defineTool, type Model, type ModelDelta } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { ReportStream } from '../src/report-stream.ts';
import { walk } from './support/walk.ts';

const open = '<ai-agent-a1b2c3d4-FINAL format="markdown">';
const close = '</ai-agent-a1b2c3d4-FINAL>';
const meta = '<ai-agent-a1b2c3d4-META plugin="mood">{"mood":"a < b"}</ai-agent-a1b2c3d4-META>';
const fence = '```';
const shown = `${fence}xml\n${open}\nA\n${close}\n${fence}`;

/** The deltas of a model that says this in pieces of a size, and the answer that comes of it. */
async function stream(text: string, size: number) {
  const model: Model = {
    provider: 'p',
    model: 'm',
    async call(_, { onDelta }) {
      const pieces: ModelDelta[] = [{ type: 'reasoning', text: open }];
      for (let at = 0; at < text.length; at += size) pieces.push({ type: 'text', text: text.slice(at, at + size) });
      for (const piece of pieces) onDelta?.(piece);
      return { message: { role: 'assistant', content: [{ type: 'text', text }] }, finishReason: 'stop', usage: {} };
    },
  };
  const { events, outcome } = await walk({ name: 'desk', description: 'd', instructions: 'i', model });
  return { deltas: textsOf(events), answer: outcome.text };
}

const textsOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'text-delta' ? event.text : []));

async function streamEveryWay(text: string) {
  const whole = await stream(text, text.length);
  for (const size of [1, 2, 3, 5, 7, 11, 13, 29, 41]) {
    const { deltas } = await stream(text, size);
    expect(deltas.join(''), `in pieces of ${size}`).toBe(whole.deltas.join(''));
    for (const delta of deltas) expect(delta).not.toBe('');
  }
  return { streamed: whole.deltas.join(''), answer: whole.answer };
}

test.each([
  ['a report', `${open}Forty-two.${close}`],
  ['a report with blanks at its ends', `\n${open}\n\n# Tea\n\n  - milk < 2\n\n${close}\n`.trimStart()],
  ['a report that is never closed', `${open}a < b\n`],
  ['a report that ends with half a tag', `${open}a < b</ai-agent-a1b2c3d4-FI`],
  ['a report with words behind it', `${open}A${close}\nAnything else?\n${shown}`],
  ['a report with metadata behind it', `${open}A${close}\n${meta}\nand more`],
  ['a report after metadata', `${meta}${open}A${close}`],
  ['a report that shows its tags', `${open}So:\n${shown}\nEnd.${close}`],
  ['a report whose code is never closed', `${open}So:\n${fence}\na < b\n${close}\n`],
  ['words before an empty report, and after it', `A\n${open}\n${close}\nB`.replace(/^A\n/, '')],
  ['no report', 'A <b>bold</b> word, a < b, </a>, <ai-agents> and <ai-agent-x-FINAL>.'],
  ['tags that are only shown', `Models wrote:\n\n${shown}\n\nor \`${open}\` in a line, or "${open}A${close}".`],
  ['a tag in a sentence', `The log shows ${open} twice > once, and no end.`],
  ['the beginning of a tag at the end of a sentence', 'It begins with <ai-agent-'],
])('the stream is the answer: %s', async (_, text) => {
  const { streamed, answer } = await streamEveryWay(text);
  expect(streamed.trim()).toBe(answer);
});

describe('what was said before a report cannot be unsaid, and then only what is inside is told', () => {
  test.each([
    ['on lines of its own', `Here.\n${open}\nA\n${close}\nBye.`, 'Here.\nA'],
    ['on a line', `Here: ${open}A${close} Bye.`, 'Here: A'],
    ['with metadata before it', `Here.\n${meta}\n${open}A${close}`, 'Here.\n\nA'],
    ['the first of several', `${open}draft${close}\n${open}A${close}`, 'draft'],
    ['one that was begun again', `${open}draft \n${open}A${close}`, 'draftA'],
    ['metadata in it', `${open}A\n${meta}\nB${close}`, 'A\n\nB'],
    ['metadata that is never closed', `${open}A\n${meta.slice(0, 60)}`, 'A'],
    ['metadata beside plain words', `A\n${meta}\n`, 'A\n\n'],
    ['a closing tag that was never opened', `A${close}\n`, 'A\n'],
  ])('%s', async (_, text, told) => {
    expect((await streamEveryWay(text)).streamed).toBe(told);
  });
});

test('a piece without a tag is told at once', async () => {
  const { deltas } = await stream('One, two, three.', 5);
  expect(deltas).toEqual(['One, ', 'two, ', 'three', '.']);
});

test('so is one inside a report, but for blanks that may be its last', async () => {
  const { deltas } = await stream(`${open}${'One, two, three.'.padEnd(open.length * 2)}${close}`, open.length);
  expect(deltas).toEqual(['One, two, three.']);
  const parts = await stream(`${open}One two \n`, 1);
  expect(parts.deltas).toEqual(['O', 'n', 'e', ' t', 'w', 'o']);
});

test('a tag that is not closed holds back no more than its bound', () => {
  const stream = new ReportStream();
  let given = stream.push('Inside <ai-agent-abcd-FINAL> I write. ');
  for (let i = 0; i < 20_000; i++) given += stream.push('word ');
  expect(given.length).toBeGreaterThan(90_000);
});

test('a thought that has tags is a thought', async () => {
  const model: Model = {
    provider: 'p',
    model: 'm',
    async call(_, { onDelta }) {
      onDelta?.({ type: 'reasoning', text: open });
      return {
        message: { role: 'assistant', content: [{ type: 'text', text: 'A' }] },
        finishReason: 'stop',
        usage: {},
      };
    },
  };
  const { events } = await walk({ name: 'desk', description: 'd', instructions: 'i', model });
  expect(events.flatMap((event) => (event.type === 'reasoning-delta' ? event.text : []))).toEqual([open]);
});

test('every request begins anew', async () => {
  const replies = [`${open}draft${close}`, 'B'];
  const tool = defineTool({ name: 'look', description: 'l', inputSchema: { type: 'object' }, execute: () => 'tea' });
  const model: Model = {
    provider: 'p',
    model: 'm',
    async call(_, { onDelta }) {
      const text = replies.shift() ?? '';
      onDelta?.({ type: 'text', text });
      const call = { type: 'tool-call', id: 'c1', name: 'look', input: '{}' } as const;
      const content = [{ type: 'text', text } as const, ...(replies.length > 0 ? [call] : [])];
      return { message: { role: 'assistant', content }, finishReason: 'stop', usage: {} };
    },
  };
  const { events, outcome } = await walk({ name: 'desk', description: 'd', instructions: 'i', model, tools: [tool] });
  expect(textsOf(events)).toEqual(['draft', 'B']);
  expect(outcome.text).toBe('B');
});

test('a stream of odd pieces costs little', async () => {
  const start = performance.now();
  await stream(`a ${open}${'<b> '.repeat(5000)}`, 1);
  await stream(`${open}\n${fence}\n${close}${' \n'.repeat(10_000)}x`, 1);
  expect(performance.now() - start).toBeLessThan(5000);
});
