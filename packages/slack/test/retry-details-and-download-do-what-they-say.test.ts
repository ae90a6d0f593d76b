// The promise: the buttons under an answer run it again, show who worked on it, and add all of it as a file.

import { asTool, defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { wordsOf } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd, whenEnded } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

async function answered(settings = {}) {
  const child = defineAgent({
    name: 'scout',
    model: scriptedModel(() => 'Seen.'),
    instructions: 'Look.',
    description: 'Looks.',
  });
  const model = scriptedModel((_, call) =>
    call === 1 ? { calls: [{ name: 'scout', input: { prompt: 'look', reason: 'Looks around' } }] } : `Answer ${call}.`,
  );
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.', tools: [asTool(child)] });
  const house = await openSlackHouse([agent], { settings });
  const { slack } = house;
  const [jane, joe] = [slack.person('jane'), slack.person('joe')];
  const channel = slack.channel('general');
  const { ts, messages } = await askToTheEnd(slack, { channel, user: jane, text: 'What is there?' });
  return { ...house, model, jane, joe, channel, ts, answer: messages[0] as Message };
}

test('Retry runs it again, and the thread goes on from there; that of an older answer is refused in words', async () => {
  const { slack, model, jane, joe, channel, ts, answer } = await answered();
  await slack.press(answer, 'Retry', joe);
  await slack.until(() => slack.ephemerals.length === 1);
  expect(slack.ephemerals[0]?.text).toContain('Only the person who asked');
  await slack.press(answer, 'Retry', jane);
  await slack.until(() => slack.thread(channel, ts).length === 3, 'a second answer');
  const again = (await whenEnded(slack, { channel, ts })).at(-1) as Message;
  expect(again.text).toBe('Answer 3.');
  expect(JSON.stringify(model.requests[2]?.messages)).toContain('What is there?');
  await slack.press(answer, 'Retry', jane);
  await slack.until(() => slack.ephemerals.length === 2);
  expect(slack.ephemerals[1]?.text).toContain('tried again already');
  const { messages } = await askToTheEnd(slack, { channel, user: jane, text: 'And then?', threadTs: ts });
  expect(messages.at(-1)?.text).toBe('Answer 4.');
  expect(JSON.stringify(model.requests[3]?.messages)).toContain('Answer 3.');
  expect(JSON.stringify(model.requests[3]?.messages)).not.toContain('Answer 2.');
  await slack.press(again, 'Retry', jane);
  await slack.until(() => slack.ephemerals.length === 3);
  expect(slack.ephemerals[2]?.text).toContain('has gone on since');
});

test('Retry of an answer after which the same session went on is refused in words', async () => {
  const { slack, model, jane, channel, ts, answer } = await answered();
  await askToTheEnd(slack, { channel, user: jane, text: 'And then?', threadTs: ts });
  await slack.press(answer, 'Retry', jane);
  await slack.until(() => slack.ephemerals.some(({ text }) => text.includes('has gone on since')), 'a refusal');
  expect(model.requests).toHaveLength(3);
});

test('Details opens at once and tells of children and the ledger, also where nothing is kept any more', async () => {
  const { slack, jane, answer } = await answered();
  await slack.press(answer, 'Details', jane);
  await slack.until(() => slack.calls('views.update').length === 1);
  const words = wordsOf({ blocks: [...(slack.views[0]?.blocks ?? [])] });
  expect(words).toContain('scout');
  expect(words).toContain('completed');
  expect(words).toMatch(/tokens|calls/);
  const gone = { ...JSON.parse(String(buttonValueOf(answer))), session: 'a'.repeat(20) };
  await slack.press(answer, 'Details', jane, { value: JSON.stringify(gone) });
  await slack.until(() => slack.calls('views.update').length === 2);
  expect(wordsOf({ blocks: [...(slack.views.at(-1)?.blocks ?? [])] })).toContain('not kept any more');
});

test('Download JSON adds a file with outcome, ledger and tree, for who asked and admins', async () => {
  const { slack, jane, joe, ts, answer } = await answered();
  await slack.press(answer, 'Download JSON', joe);
  await slack.until(() => slack.ephemerals.length === 1);
  expect(slack.uploads).toEqual([]);
  await slack.press(answer, 'Download JSON', jane);
  await slack.until(() => slack.uploads.length === 1, 'a file');
  const [file] = slack.uploads;
  expect(file).toMatchObject({ name: expect.stringMatching(/^desk-\w+\.json$/), threadTs: ts });
  const document = JSON.parse(file?.text ?? '');
  expect(JSON.stringify(document)).toContain('Answer 2.');
  expect(document).toMatchObject({ status: 'completed', ledger: expect.anything(), tree: expect.anything() });
  expect(JSON.stringify(document.tree)).toContain('scout');
});

function buttonValueOf({ blocks }: Message): unknown {
  const [first] = (blocks.find(({ type }) => type === 'actions')?.elements ?? []) as { value?: unknown }[];
  return first?.value;
}
