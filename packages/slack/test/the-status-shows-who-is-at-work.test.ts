// The promise: while a run works, one message in its thread says who is at work below it, what it has used, and for how long.

import { type Agent, asTool, defineAgent, type Model } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { buttonsOf, wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

/** Answers when it is told to. */
function waiting(): { model: Model; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { model: scriptedModel(() => ({ text: 'Done.', until: promise })), release: () => resolve() };
}

const call = (name: string, reason: string) => ({ name, input: { reason, text: reason } });

/** Calls these, then says this. */
function calling(calls: readonly ReturnType<typeof call>[], text: string): Model {
  return scriptedModel([{ calls, usage: { inputTokens: 1_100, outputTokens: 100 }, costUsd: 0.0123 }, text]);
}

function agent(name: string, model: Model, below: readonly Agent[] = [], limits = {}): Agent {
  const tools = below.map((one) => asTool(one));
  return defineAgent({ name, description: name, model, instructions: 'Work.', tools, limits });
}

/** Those at work, each with how far it is indented. */
function listOf({ blocks }: Message): readonly string[] {
  const lists = blocks.flatMap(({ elements }) => (elements as { type: string; indent?: number }[]) ?? []);
  return lists
    .filter(({ type }) => type === 'rich_text_list')
    .map((list) => `${list.indent} ${wordsOf({ blocks: [list] } as never)}`);
}

test('those below are shown by title, two of one name both, the nested ones indented, with tokens, money and time', async () => {
  const { model, release } = waiting();
  const digger = agent('digger', model);
  const reader = agent('reader', calling([call('digger', 'Dig deeper')], 'Read.'), [digger]);
  const script = calling([call('digger', 'Dig here'), call('digger', 'Dig there'), call('reader', 'Read')], 'Ready.');
  const { slack } = await openSlackHouse([agent('desk', script, [digger, reader])]);
  const talk = await ask(slack, 'find it');
  const status = await talk.status();
  expect(wordsOf(status)).toMatch(/^desk is at work\n0 s$/);
  await slack.until(() => listOf(status).length === 4, 'four at work');
  const [first, second, third, below] = listOf(status);
  expect(first).toMatch(/^0 digger\S* {2}Dig here {2}\d s$/);
  expect(second).toMatch(/^0 digger\S* {2}Dig there {2}\d s$/);
  expect(third).toMatch(/^0 reader\S* {2}Read {2}\d s$/);
  expect(below).toMatch(/^1 digger\S* {2}Dig deeper {2}\d s$/);
  expect(wordsOf(status)).toMatch(/^desk is at work, 0 of 4 done/);
  expect(wordsOf(status)).toMatch(/\n2\.4k tokens · \$0\.0246 · \d s$/);
  await slack.until(() => / [1-9] s$/.test(listOf(status)[0] ?? ''), 'the time of a child at work');
  release();
  const answer = await talk.answer();
  expect(answer.ts).toBe(status.ts);
  expect(wordsOf(answer)).toMatch(/^Ready\.\ndesk · .*4 sub-agents$/);
});

test('of many ten are shown, and the rest is counted', async () => {
  const { model, release } = waiting();
  const calls = Array.from({ length: 13 }, (_, index) => call('digger', `Dig ${index}`));
  const desk = agent('desk', calling(calls, 'Ready.'), [agent('digger', model)], {
    maxParallel: 13,
    maxToolCallsPerTurn: 13,
  });
  const { slack } = await openSlackHouse([desk]);
  const talk = await ask(slack, 'find it');
  const status = await talk.status();
  await slack.until(() => wordsOf(status).startsWith('desk is at work, 0 of 13 done'), 'thirteen at work');
  const list = listOf(status);
  expect(list).toHaveLength(11);
  for (const [index, item] of list.slice(0, 10).entries()) expect(item).toContain(`  Dig ${index}  `);
  expect(list.at(-1)).toBe('0 and 3 more');
  release();
  expect(wordsOf(await talk.answer())).toMatch(/^Ready\.\ndesk · .*13 sub-agents$/);
});

test('a run that waits for a place says so, and what was wished of a run is said', async () => {
  const { model, release } = waiting();
  const { slack } = await openSlackHouse([agent('desk', model)], { places: { slack: { running: 1 } } });
  const first = await ask(slack, 'one');
  const working = await first.status();
  const second = await ask(slack, 'two', { in: 'random' });
  const waits = await second.status();
  await slack.until(() => wordsOf(waits).startsWith('desk waits for a place\n'), 'that it waits');
  void slack.press(working, 'Stop', first.user);
  await slack.until(() => wordsOf(working).startsWith('desk is asked to stop, and sums up\n'), 'that it stops');
  expect(buttonsOf(working)).toEqual(['Cancel']);
  void slack.press(waits, 'Cancel', second.user);
  await slack.until(() => wordsOf(waits).includes('Cancelled by jane before it began.'), 'that it was cancelled');
  expect(buttonsOf(waits)).toEqual([]);
  release();
  expect(wordsOf(await first.answer())).toContain('Done.');
});
