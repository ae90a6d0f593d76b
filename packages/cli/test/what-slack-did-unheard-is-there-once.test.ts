// The promise: a server that is killed after Slack did something, and before it heard of it, leaves nothing twice and nothing half-written: who comes after it finds what is there.

import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { buttonsOf } from '../../slack/test/support/answers.ts';
import { streamed } from './support/served.ts';
import { type InSlack, serveInSlack } from './support/served-in-slack.ts';

async function open(answer: InSlack['answer']) {
  const { slack, start } = await serveInSlack({ answer });
  const first = await start();
  const [user, channel] = [slack.person('jane'), slack.channel('crimes')];
  const ask = async () => {
    const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> who was it?` });
    return () => slack.thread(channel, ts);
  };
  /** When this was done once more, and nobody heard of it: gives how to stop the server that comes after it. */
  const killAfter = async (method: string, before: number) => {
    await expect.poll(() => slack.calls(method).length, { timeout: 30_000, interval: 20 }).toBeGreaterThan(before);
    await setTimeout(200);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await start();
    return async () => {
      second.child.kill('SIGTERM');
      expect(await second.ended).toBe(0);
    };
  };
  return { slack, user, ask, killAfter };
}

test('a part of a long answer', { timeout: 90_000 }, async () => {
  const words = Array.from({ length: 8_000 }, (_, index) => `w${String(index).padStart(4, '0')}`);
  const { slack, ask, killAfter } = await open((response) => streamed(response, [words.join(' ')]));
  const thread = await ask();
  const told = () => JSON.stringify(thread().map(({ blocks }) => blocks)).match(/w\d{4}/g) ?? [];
  // The first shows it at work.
  await slack.until(() => slack.calls('chat.postMessage').length === 1, 'a status');
  slack.loseNext('chat.postMessage', 'silent');
  const stop = await killAfter('chat.postMessage', 1);
  expect(told().length).toBeLessThan(words.length);
  await expect.poll(() => new Set(told()).size, { timeout: 60_000, interval: 200 }).toBe(words.length);
  await stop();
  expect(told()).toHaveLength(words.length);
});

test('the first words of a stream', { timeout: 90_000 }, async () => {
  const { slack, ask, killAfter } = await open(begin);
  slack.loseNext('chat.startStream', 'silent');
  const thread = await ask();
  const stop = await killAfter('chat.startStream', 0);
  expect(thread().filter(({ isStreaming }) => isStreaming)).toHaveLength(1);
  await expect
    .poll(() => thread().length === 2 && JSON.stringify(thread()).includes('Retry'), { timeout: 60_000, interval: 200 })
    .toBe(true);
  await stop();
  expect(thread().filter(({ isStreaming }) => isStreaming)).toEqual([]);
});

test('a file', { timeout: 90_000 }, async () => {
  const long = Array.from({ length: 9_000 }, () => 'all of it is here.').join('\n\n');
  const { slack, ask, killAfter } = await open((response) => streamed(response, [long]));
  slack.loseNext('files.completeUploadExternal', 'silent');
  const thread = await ask();
  const stop = await killAfter('files.completeUploadExternal', 0);
  // The hold of who is gone ends first, and then it is looked for.
  await setTimeout(22_000);
  await stop();
  expect(thread().flatMap(({ files }) => files ?? [])).toHaveLength(1);
  expect(slack.calls('conversations.replies').length).toBeGreaterThan(0);
});

test('what shows at work what was pressed', { timeout: 90_000 }, async () => {
  const { slack, user, ask, killAfter } = await open((response) => streamed(response, ['It was the gardener.']));
  const thread = await ask();
  const isAnswered = () => thread().some((message) => buttonsOf(message).includes('Retry'));
  await slack.until(() => isAnswered(), 'an answer');
  const before = slack.calls('chat.postMessage').length;
  slack.loseNext('chat.postMessage', 'silent');
  const answer = thread().at(-1);
  if (answer) await slack.press(answer, 'Retry', user);
  const stop = await killAfter('chat.postMessage', before);
  expect(thread().flatMap(buttonsOf)).toContain('Cancel');
  await expect.poll(() => thread().flatMap(buttonsOf), { timeout: 60_000, interval: 200 }).not.toContain('Cancel');
  await slack.until(() => JSON.stringify(thread()).includes('The server stopped before I began'), 'a word of it');
  await stop();
});

test('the message that says what was asked by a command', { timeout: 90_000 }, async () => {
  const { slack, user, killAfter } = await open((response) => streamed(response, ['It was the gardener.']));
  const channel = slack.channel('others');
  slack.loseNext('chat.postMessage', 'silent');
  await slack.command({ command: '/ask', text: 'who was it?', channel, user });
  const stop = await killAfter('chat.postMessage', 0);
  const all = () => JSON.stringify(slack.messages(channel));
  await expect.poll(all, { timeout: 60_000, interval: 200 }).toContain('the gardener');
  await stop();
  const roots = slack.messages(channel).filter(({ text }) => text.includes('asks: who was it?'));
  expect(roots).toHaveLength(1);
});

/** Some words, and no end. */
function begin(response: ServerResponse): void {
  const content = 'It was the gardener, and nobody else. Or was it ';
  const choices = [{ index: 0, delta: { role: 'assistant', content } }];
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices };
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(chunk)}\n\n`);
}
