// The promise: who finds runs that were cut off tells of each where it was shown at work, until Slack has heard it, and leaves alone what goes on again.

import { defineAgent, type SessionHead } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryNotes } from '../../server/src/memory-notes.ts';
import { SlackRefusal } from '../src/connect/slack-api.ts';
import { Lanes } from '../src/run/lanes.ts';
import { watchLeft } from '../src/run/pick-up.ts';
import { RunNotes } from '../src/run/run-notes.ts';
import { ThreadHolds } from '../src/run/thread-holds.ts';
import { Threads } from '../src/run/threads.ts';
import { Unbegun } from '../src/run/unbegun.ts';
import type { Surroundings } from '../src/surroundings.ts';
import { aboutOf, buttonsOf, isAnswered } from './support/answers.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { askToTheEnd } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

const thread = { team: 'T1', channel: 'C1', ts: '1.0' };
const noteOf = (statusTs: string) => ({ thread, asker: 'U1', statusTs, owner: 'gone', round: 0 });

test('somebody goes on with one while another is told of', async () => {
  const { around, runNotes, heads, gone, watch } = open(['first', 'second'], async () => {
    heads.set('second', { ...headOf('second'), status: 'running' });
    await runNotes.put('second', noteOf('new'));
  });
  for (const id of heads.keys()) await runNotes.put(id, noteOf(`old ${id}`));
  watch(around);
  await expect.poll(() => runNotes.get('first')).toBeUndefined();
  await new Promise(setImmediate);
  expect(gone).toEqual(['old first']);
  expect(await runNotes.get('second')).toMatchObject({ statusTs: 'new' });
});

test('Slack is not there: it is told of later', async () => {
  let tries = 0;
  const { around, runNotes, gone, posts, watch, lookAgain } = open(['first'], async () => {
    tries++;
    if (tries === 1) throw new SlackRefusal('chat.postMessage', 'unreachable');
  });
  await runNotes.put('first', noteOf('old'));
  watch(around);
  await expect.poll(() => tries).toBe(1);
  await new Promise(setImmediate);
  expect(await runNotes.get('first')).toMatchObject({ statusTs: 'old', tries: 1, notBeforeMs: 10_000 });
  lookAgain();
  await expect.poll(() => runNotes.get('first')).toBeUndefined();
  expect([posts.length, gone]).toEqual([1, ['old']]);
});

test('somebody goes on with one that has ended and was not told of: it is told before theirs, and nothing stays at work', async () => {
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const { slack, hall } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })]);
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts, messages } = await askToTheEnd(slack, { channel, user, text: 'one' });
  const old = messages[0] as Message;
  const where = { team: slack.team, channel, ts };
  const note = { ...noteOf(old.ts), thread: where, asker: user };
  await hall.notes.put(`slack:run:${slack.bot}/${aboutOf(old)?.session}`, note, Date.now() + 60_000);
  await slack.say({ channel, user, text: `<@${slack.bot}> two`, threadTs: ts });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'));
  const ours = slack.thread(channel, ts).filter((message) => message.user === slack.bot);
  expect(ours.map(({ text }) => text)).toEqual(['Answer 1.', 'Answer 2.']);
  expect(ours.flatMap(buttonsOf)).not.toContain('Cancel');
});

/** `onPost` is told how many there were before. */
function open(ids: readonly string[], onPost: (before: number) => Promise<void>) {
  const heads = new Map(ids.map((id) => [id, headOf(id)]));
  const gone: unknown[] = [];
  const posts: unknown[] = [];
  let lookAgain = () => {};
  let now = 0;
  const clock = {
    now: () => now,
    monotonicMs: () => now,
    after(_ms: number, work: () => void) {
      lookAgain = work;
      return () => {};
    },
  };
  const facts = async ({ id }: SessionHead) => [{ trace: { originId: id } }];
  const desk = { clock, notes: new MemoryNotes(() => 0), find: async (id: string) => heads.get(id), facts };
  const runNotes = new RunNotes(desk, 'UBOT');
  const holds = new ThreadHolds({ desk, bot: 'UBOT', closing: new AbortController().signal });
  const api = {
    call: async (method: string, { ts }: Readonly<Record<string, unknown>>) => {
      if (method === 'chat.delete') gone.push(ts);
      else posts.push(await onPost(posts.length));
      return { ts: `posted ${posts.length}` };
    },
  };
  const bugs: unknown[] = [];
  const log = { bug: (error: unknown) => bugs.push(error) };
  const threads = new Threads(desk, 'UBOT');
  const unbegun = new Unbegun(desk, 'UBOT');
  const kept = { threads, runNotes, unbegun, holds, lanes: new Lanes(5) };
  const around = { desk, api, log, ...kept } as unknown as Surroundings;
  const watch = (one: Surroundings) => onTestFinished(watchLeft(one, () => {}));
  const lookLater = () => {
    now += 10_000;
    lookAgain();
  };
  return { around, runNotes, heads, gone, posts, watch, lookAgain: lookLater };
}

function headOf(id: string): SessionHead {
  return { id, agent: 'desk', status: 'interrupted', resumptions: 0 } as unknown as SessionHead;
}
