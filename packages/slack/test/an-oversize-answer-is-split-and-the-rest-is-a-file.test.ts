// The promise: an answer of any length is there whole, in messages that Slack takes and, where those are not enough, in a file.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

const sentence = (index: number) => `Line ${index} of what there is to be told about it.`;
const sentences = (count: number) => Array.from({ length: count }, (_, index) => sentence(index)).join('\n\n');
const rowsOf = (count: number, columns: number) =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: columns }, (_, column) => `r${row}c${column}`).join(' | '),
  );
const tableOf = (rows: number, columns: number) =>
  [
    `| ${Array.from({ length: columns }, (_, column) => `Column ${column}`).join(' | ')} |`,
    `|${' --- |'.repeat(columns)}`,
    ...rowsOf(rows, columns).map((row) => `| ${row} |`),
  ].join('\n');

/** Every payload is held to Slack's limits by the stand-in, which fails the test where one is broken. */
async function answerWith(text: string, name: string) {
  const agent = defineAgent({ name: 'desk', model: scriptedModel([text]), instructions: 'Answer.' });
  const { slack, told } = await openSlackHouse([agent]);
  const channel = slack.channel(name);
  const { ts } = await askToTheEnd(slack, { channel, user: slack.person('jane'), text: 'All of it.' });
  const ours = () => slack.thread(channel, ts).filter(({ user, files }) => user === slack.bot && files.length === 0);
  await slack.until(() => ours().some((message) => buttonsOf(message).includes('Retry')), 'buttons');
  const isCut = wordsOf(ours().at(-1) as Message).includes('is in the file');
  if (isCut) await slack.until(() => slack.uploads.length > 0, 'the file');
  expect(told).toEqual([]);
  return { slack, ours: ours(), isCut, all: ours().map(wordsOf).join('\n') };
}

function expectOneEnd(ours: readonly Message[]) {
  expect(ours.filter((message) => buttonsOf(message).length > 0)).toEqual([ours.at(-1)]);
  expect(ours.filter((message) => wordsOf(message).includes(' tokens · '))).toEqual([ours.at(-1)]);
  for (const { text } of ours) expect(text).not.toMatch(/ tokens · |in the file/);
}

const numbersIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, number]) => Number(number));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test('long text, tables and code are whole in several messages, in order, with one end', {
  timeout: 20_000,
}, async () => {
  const [text, long, wide, code] = await Promise.all([
    answerWith(sentences(600), 'text'),
    answerWith(tableOf(250, 3), 'long'),
    answerWith(tableOf(5, 30), 'wide'),
    answerWith(
      `\`\`\`js\n${Array.from({ length: 1_500 }, (_, index) => `const name${index} = ${index};`).join('\n')}\n\`\`\``,
      'code',
    ),
  ]);
  for (const { ours, isCut, slack } of [text, long, wide, code]) {
    expect(isCut).toBe(false);
    expect(slack.uploads).toEqual([]);
    expectOneEnd(ours);
  }
  for (const { ours } of [text, long, code]) expect(ours.length).toBeGreaterThan(1);
  expect(numbersIn(text.all, /Line (\d+) of/g)).toEqual(upTo(600));
  expect(numbersIn(long.all, /r(\d+)c2/g)).toEqual(upTo(250));
  expect(numbersIn(wide.all, /r4c(\d+)/g)).toEqual(upTo(30));
  expect(numbersIn(code.all, /const name(\d+) /g)).toEqual(upTo(1_500));
  expect(text.ours[0]?.text).toMatch(/^Line 0 of/);
});

test('what is too much for messages begins in them, and is whole in a file of its thread', {
  timeout: 20_000,
}, async () => {
  const source = sentences(2_100);
  const [text, table] = await Promise.all([answerWith(source, 'text'), answerWith(tableOf(1_100, 3), 'table')]);
  for (const { ours, isCut } of [text, table]) {
    expect(isCut).toBe(true);
    expect(ours.length).toBeLessThanOrEqual(10);
    expectOneEnd(ours);
  }
  const numbers = numbersIn(text.all, /Line (\d+) of/g);
  expect(numbers.length).toBeGreaterThan(500);
  expect(numbers).toEqual(upTo(numbers.length));
  expect(text.slack.uploads.map(({ name, text: all }) => [name, all])).toEqual([['answer.md', source]]);
  expect(text.slack.uploads[0]?.threadTs).toBe(text.ours[0]?.thread_ts);
  expect(table.slack.uploads[0]?.text).toContain('r1099c2');
});

test('a report is shown as the data that it is', async () => {
  const report = { verdict: 'fine ``` <!channel>', points: [1, 2] };
  const model = scriptedModel([JSON.stringify(report)]);
  const agent = defineAgent({
    name: 'desk',
    model,
    instructions: 'Report.',
    output: { format: 'json', schema: { type: 'object' } },
  });
  const { slack } = await openSlackHouse([agent]);
  const channel = slack.channel('general');
  const { messages } = await askToTheEnd(slack, { channel, user: slack.person('jane'), text: 'Report.' });
  const [block] = messages[0]?.blocks ?? [];
  const [code] = (block?.elements ?? []) as { type: string; elements: { text: string }[] }[];
  expect(code?.type).toBe('rich_text_preformatted');
  expect(JSON.parse(code?.elements.map(({ text }) => text).join('') ?? '')).toEqual(report);
});
