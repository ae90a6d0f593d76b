// The promise: whoever looks on sees nothing of the metadata that an agent's plugins get, in whatever spelling, and all of the report.

import type { Model, ModelDelta, ReportPlugin } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { MetadataStream } from '../src/metadata-stream.ts';
import { walk } from './support/walk.ts';

const plugin: ReportPlugin = { name: 'mood', requirements: { schema: {}, instructions: 'i' }, onComplete() {} };
const json = '{"mood":"a < b"}';
const fence = '```';
const block = `<ai-agent-a1b2c3d4-META plugin="mood">${json}</ai-agent-a1b2c3d4-META>`;

/** What is told of a model that says this in pieces of a size, and the answer that comes of it. */
async function stream(text: string, size: number, plugins: readonly ReportPlugin[] = [plugin]) {
  const model: Model = {
    provider: 'p',
    model: 'm',
    async call(_, { onDelta }) {
      const pieces: ModelDelta[] = [];
      for (let at = 0; at < text.length; at += size) pieces.push({ type: 'text', text: text.slice(at, at + size) });
      for (const piece of pieces) onDelta?.(piece);
      return { message: { role: 'assistant', content: [{ type: 'text', text }] }, finishReason: 'stop', usage: {} };
    },
  };
  const desk = { name: 'desk', description: 'd', instructions: 'i', model, plugins, limits: { maxRepairs: 0 } };
  const { events, outcome } = await walk(desk);
  const deltas = events.flatMap((event) => (event.type === 'text-delta' ? event.text : []));
  return { deltas, answer: outcome.text };
}

test.each([
  ['as it was asked for', `The report.\n\n${block}`],
  ['without a nonce', `The report.\n<ai-agent-META plugin="mood">${json}</ai-agent-META>`],
  ['in lower case', `The report.\n<ai-agent-a1b2c3d4-meta plugin="mood">${json}</ai-agent-a1b2c3d4-meta>`],
  ['with a nonce of other letters', `The report.\n<AI-agent-a.b_c-META plugin=mood>${json}</AI-agent-a.b_c-META>`],
  ['in a fence', `The report.\n\n${fence}xml\n${block}\n${fence}\n`],
  ['in a fence with words behind it', `The report.\n${fence}\n${block}\n${fence}\nBye.`],
  ['indented', `The report.\n\n      ${block}\n`],
  ['in a line, and not closed', `The report. <ai-agent-a1b2c3d4-META plugin="mood">${json}`],
  ['in a line, not closed, with words behind it', `It is so. <ai-agent-x-META plugin="mood">${json} And so on.`],
  ['between words', `One ${block} two.`],
  ['two of them', `One ${block} two ${block} three.`],
  ['with a quote right behind its name', `One <ai-agent-x-META"mood">${json}</ai-agent-x-META> two.`],
  ['half a tag at the end', 'The report. <ai-agent-a1b2c3d4-ME'],
  ['half a tag with a plugin at the end', 'The report. <ai-agent-META plugin="mo'],
  ['a closing tag alone', 'The report.</ai-agent-META>'],
  [
    'inside a report',
    `<ai-agent-a1b2c3d4-FINAL>A\n<ai-agent-META plugin="mood">${json}</ai-agent-META></ai-agent-a1b2c3d4-FINAL>`,
  ],
  ['behind a report', `<ai-agent-a1b2c3d4-FINAL>A</ai-agent-a1b2c3d4-FINAL>\n<ai-agent-meta>${json}</ai-agent-meta>`],
  ['nothing but metadata before the report', `${block}\nThe report.`],
  ['none', `A <b>bold</b> word, a < b.\n\n${fence}js\nlet a = 1;\n${fence}\n\nAnd <ai-agent-x-METAL> and <ai-agents>.`],
  ['what only begins like it', 'See <ai-agent-x-META and a < b, or <ai-agent- and more > less.'],
])('the stream is the answer: %s', async (_, text) => {
  for (const size of [1, 2, 3, 5, 7, 11, 29, 41, text.length]) {
    const { deltas, answer } = await stream(text, size);
    expect(deltas.join('').trim(), `in pieces of ${size}`).toBe(answer);
    for (const delta of deltas) expect(delta).not.toBe('');
  }
});

describe('what is no metadata is told at once', () => {
  test('but for blanks and fences, which may stand before some', async () => {
    const { deltas } = await stream(`One, two,\n${fence}js\nthree\n`, 5);
    expect(deltas).toEqual(['One,', ' two,', `\n${fence}js\nthre`, 'e', '\n']);
  });

  test('without plugins everything is', async () => {
    expect((await stream('One, two, three.', 5, [])).deltas).toEqual(['One, ', 'two, ', 'three', '.']);
  });
});

test('a stream of odd pieces costs little', () => {
  const startedAt = performance.now();
  for (const piece of ['<', ' ', '<ai-agent-', '```', 'word', '<ai-agent-META>', '</ai-agent-META', ' <']) {
    const metadata = new MetadataStream();
    for (let i = 0; i < 20_000; i++) metadata.push(piece);
    metadata.end();
  }
  const long = new MetadataStream();
  long.push('<ai-agent-');
  for (let i = 0; i < 50_000; i++) long.push('META.');
  long.end();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
