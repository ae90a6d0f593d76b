// The promise: a house that is opened anew over the same store goes on with its threads: with sessions, with questions, and with runs that were cut off.

import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { TypingModel } from '../../web/test/support/page-server.ts';
import { buttonsOf, findAnswer, isAnswered, saidTo, wordsOf } from './support/answers.ts';
import { newFile, openKept } from './support/kept.ts';
import { openSlackHouse } from './support/slack-house.ts';

test('a further message goes on with its session', async () => {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const path = newFile();
  const store = await openKept(path);
  const { slack, stop } = await openSlackHouse([agent], { store });
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> one` });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  await stop();
  await store.close();
  await openSlackHouse([agent], { slack, store: await openKept(path) });
  await slack.say({ channel, user, text: `<@${slack.bot}> two`, threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'));
  expect(model.requests.map(saidTo)[1]).toEqual(['user: one', 'assistant: Answer 1.', 'user: two']);
});

test('a question is answered by the button it had before', async () => {
  const input = { question: 'Which colour?', choices: ['red', 'blue'] };
  const model = scriptedModel((request) =>
    request.messages.at(-1)?.role === 'tool'
      ? `Heard ${saidTo(request).at(-1)}.`
      : { calls: [{ name: 'ask_user', input }] },
  );
  const agent = defineAgent({ name: 'desk', model, instructions: 'Ask.', ask: 'person' });
  const path = newFile();
  const store = await openKept(path);
  const { slack, stop } = await openSlackHouse([agent], { store });
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> go` });
  const find = () => slack.thread(channel, ts).find((message) => buttonsOf(message).includes('blue'));
  await slack.until(() => find() !== undefined);
  await stop();
  await store.close();
  await openSlackHouse([agent], { slack, store: await openKept(path) });
  await slack.press({ channel, ts: find()?.ts ?? '' }, 'blue', user);
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Heard tool: blue.'));
  await slack.until(() => find() === undefined);
});

test('a run that was cut off says so in its thread, and is done again', async () => {
  const never = new Promise<void>(() => {});
  const model = scriptedModel((_, call) => (call === 1 ? { text: 'Lost.', until: never } : `Answer ${call}.`));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const path = newFile();
  const left = newFile();
  const { slack, stop } = await openSlackHouse([agent], { store: await openKept(path) });
  const channel = slack.channel('general');
  const user = slack.person('jane');
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> go` });
  await slack.until(() => model.requests.length === 1);
  await expect.poll(() => leaveAsGone(path, left)).toBe(1);
  await stop();
  const [, status] = slack.thread(channel, ts);
  await slack.until(() => Date.now() > Number(status?.edited?.ts) * 1_000 + 1_000);
  const store = await openKept(left);
  await openSlackHouse([agent], { slack, store });
  const words = 'The server stopped while I was at work on this.';
  await slack.until(() => isAnswered(slack.thread(channel, ts), words), 'word of it');
  const message = findAnswer(slack.thread(channel, ts), words);
  expect(buttonsOf(message)).toEqual(['Retry', 'Details', 'Download JSON']);
  await expect.poll(() => store.notes.names('slack:run:', 2)).toEqual([]);
  await slack.press({ channel, ts: message?.ts ?? '' }, 'Retry', user);
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'));
  expect(model.requests.map(saidTo)[1]).toEqual(['user: go']);
});

test('what people have read of an answer that was cut off stays', async () => {
  const [path, left] = [newFile(), newFile()];
  const model = new TypingModel();
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack, stop } = await openSlackHouse([agent], { store: await openKept(path) });
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> go` });
  (await model.next()).say('It was the gardener, and ');
  const written = () => slack.thread(channel, ts).find(({ streamed }) => streamed !== '');
  await slack.until(() => written() !== undefined, 'a stream');
  const { ts: writtenTs } = written() ?? { ts: '' };
  const isNoted = () => leaveAsGone(path, left, `%"streamTs":"${writtenTs}"%`);
  await expect.poll(isNoted).toBe(1);
  await stop();
  const editedAt = Math.max(...slack.thread(channel, ts).map(({ edited }) => Number(edited?.ts ?? 0)));
  await slack.until(() => Date.now() > editedAt * 1_000 + 1_000);
  const store = await openKept(left);
  await openSlackHouse([agent], { slack, store });
  const words = 'The server stopped while I was at work on this.';
  await slack.until(() => isAnswered(slack.thread(channel, ts), words), 'word of it');
  await expect.poll(() => store.notes.names('slack:run:', 2)).toEqual([]);
  expect(slack.thread(channel, ts).map((message) => message.ts)).toContain(writtenTs);
});

/** The file as a machine leaves it that is gone in the middle; gives how many runs have told where they are shown. */
function leaveAsGone(path: string, left: string, like = '%'): number {
  rmSync(left, { force: true });
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(`VACUUM INTO '${left}'`);
  db.close();
  const copy = new DatabaseSync(left);
  copy.exec("UPDATE writers SET host = 'elsewhere', seen = 0");
  const shown = "SELECT count(*) AS runs FROM notes WHERE name LIKE 'slack:run:%' AND json LIKE ?";
  const { runs } = copy.prepare(shown).get(like) as { runs: number };
  copy.close();
  return runs;
}

test('a house that stops in the middle says so, and nothing stays at work', async () => {
  const never = new Promise<void>(() => {});
  const model = scriptedModel(() => ({ text: 'Lost.', until: never }));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack, stop, headend } = await openSlackHouse([agent]);
  const channel = slack.channel('general');
  const { ts } = await slack.say({ channel, user: slack.person('jane'), text: `<@${slack.bot}> go` });
  await slack.until(() => model.requests.length === 1);
  await stop();
  const [, message] = slack.thread(channel, ts);
  expect(wordsOf(message)).toContain('The server stopped before this run had ended.');
  expect(buttonsOf(message)).toContain('Retry');
  expect(headend.running).toBe(0);
});
