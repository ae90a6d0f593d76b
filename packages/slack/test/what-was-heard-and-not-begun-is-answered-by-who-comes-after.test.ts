// The promise: what somebody said is not lost when the process that heard it is gone before it began: whoever comes after it answers it, once, where it was shown at work.

import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { type Clock, defineAgent, type Json } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../cli/src/platform.ts';
import { buttonsOf, isAnswered, saidTo, wordsOf } from './support/answers.ts';
import { newFile, openKept } from './support/kept.ts';
import { lookOften } from './support/look-often.ts';
import { openSlackHouse, type SlackHouseOptions } from './support/slack-house.ts';
import { startSlack } from './support/slack-stand-in.ts';
import { ask } from './support/talk.ts';
import type { Message } from './support/workspace.ts';

const settings = { historyLimit: 10 };

/** A house that has heard a mention, shows it at work and never comes further, and what it leaves behind. */
async function leaveUnbegun() {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const model = scriptedModel((_, call) => `Answer ${call}.`);
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const [path, left] = [newFile(), newFile()];
  const release = slack.holdNext('conversations.history');
  let isGone = true;
  // Of a process that is as good as gone: nothing comes later there.
  const clock: Clock = { ...systemClock, after: (...later) => (isGone ? () => {} : systemClock.after(...later)) };
  const gone = await openSlackHouse([agent], { slack, settings, store: await openKept(path), clock });
  onTestFinished(async () => {
    isGone = false;
    const stopped = gone.stop();
    // Edits are a second apart in each process; of the one beside it, it knows nothing.
    await setTimeout(1_000);
    release();
    await stopped;
  });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const said = await slack.say({ channel, user, text: `<@${slack.bot}> go` });
  await expect.poll(() => leaveAsGone(path, left)).toBe(1);
  const open = async (more: SlackHouseOptions = {}) =>
    openSlackHouse([agent], { slack, settings, store: await openKept(left), ...more });
  const change = (json: string) => {
    const db = new DatabaseSync(left);
    db.exec(`UPDATE notes SET json = ${json} WHERE name LIKE 'slack:unbegun:%'`);
    db.close();
  };
  return { slack, model, channel, user, ...said, open, change };
}

/** The file as a machine leaves it that has been gone for a while; gives how much of what was heard is shown at work. */
function leaveAsGone(path: string, left: string, seenMs = 0): number {
  rmSync(left, { force: true });
  const db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec(`VACUUM INTO '${left}'`);
  db.close();
  const copy = new DatabaseSync(left);
  copy.exec(`
    UPDATE writers SET host = 'elsewhere', seen = ${seenMs};
    DELETE FROM notes WHERE name LIKE 'slack:hold:%';
    UPDATE notes SET json = json_set(json, '$.atMs', ${Date.now() - 60_000}) WHERE name LIKE 'slack:unbegun:%';
  `);
  const shown = "SELECT count(*) AS shown FROM notes WHERE name LIKE 'slack:unbegun:%' AND json ->> '$.statusTs' <> ''";
  const row = copy.prepare(shown).get() as { shown: number };
  copy.close();
  return row.shown;
}

test('in the place of the message that showed it at work, and once', async () => {
  const { slack, model, channel, ts, events, open } = await leaveUnbegun();
  const { hall } = await open();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  const ours = () => slack.thread(channel, ts).filter(({ user }) => user === slack.bot);
  await slack.until(() => ours().length === 1, 'nothing else');
  expect(buttonsOf(ours()[0])).toEqual(['Retry', 'Details', 'Download JSON']);
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([]);
  for (const event of events) await slack.deliver(event, { retry: 1, to: 1 });
  const elsewhere = slack.channel('elsewhere');
  const last = await slack.say({ channel: elsewhere, user: slack.person('joe'), text: 'last', silently: true });
  const mention = { channel: elsewhere, user: slack.person('joe'), text: `<@${slack.bot}> last`, threadTs: last.ts };
  for (const event of (await slack.say({ ...mention, silently: true })).events) await slack.deliver(event, { to: 1 });
  await slack.until(() => isAnswered(slack.thread(elsewhere, last.ts), 'Answer 2.'));
  expect(model.requests.map((request) => saidTo(request).at(-1)?.split('\n').at(-1))).toEqual(['user: go', 'last']);
});

test('a rule that came since holds for it', async () => {
  const { slack, model, channel, ts, open } = await leaveUnbegun();
  const { hall } = await open({ settings: { ...settings, routing: { deny: [{ channels: ['#general'] }] } } });
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([]);
  const [, ours] = slack.thread(channel, ts);
  expect([wordsOf(ours), buttonsOf(ours)]).toEqual(['I do not answer here.', []]);
  expect(model.requests).toHaveLength(0);
});

test('what another has taken over meanwhile is left to it', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => ({ text: `Answer ${call}.`, until: gate.promise }));
  const { hall, headend } = await openSlackHouse([defineAgent({ name: 'desk', model, instructions: 'Answer.' })], {
    slack,
  });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> one` });
  await slack.until(() => model.requests.length === 1);
  const two = await slack.say({ channel, user, text: `<@${slack.bot}> two`, threadTs: ts });
  const name = `${slack.bot}/${slack.team}/${channel}/${ts}/${two.ts}`;
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([`slack:unbegun:${name}`]);
  await hall.notes.put(`slack:seen:${name}`, 'another', Date.now() + 60_000);
  gate.resolve();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  await expect.poll(() => headend.running).toBe(0);
  await expect.poll(() => hall.notes.names('slack:hold:', 9)).toEqual([]);
  expect(model.requests).toHaveLength(1);
  expect(slack.thread(channel, ts).map(wordsOf)).toHaveLength(3);
  // That one may be gone too.
  expect(await hall.notes.names('slack:unbegun:', 9)).toEqual([`slack:unbegun:${name}`]);
});

test('where it was shown at work is found also when nobody had the time to note it', async () => {
  const { slack, channel, ts, open, change } = await leaveUnbegun();
  change("json_remove(json, '$.statusTs')");
  await open();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 1.'));
  await slack.until(() => slack.thread(channel, ts).length === 2, 'nothing else');
});

test('what was cancelled before anybody took it up is not answered', async () => {
  const { slack, model, channel, ts, user, open, change } = await leaveUnbegun();
  const [, status] = slack.thread(channel, ts);
  // To who comes after it, it seems to be fresh at first.
  change(`json_set(json, '$.atMs', ${Date.now()})`);
  let [look, laterMs] = [() => {}, 0];
  const after: Clock['after'] = (ms, work, ...more) => {
    if (ms !== 10_000) return systemClock.after(ms, work, ...more);
    look = work;
    return () => {};
  };
  const { hall } = await open({ clock: { ...systemClock, now: () => systemClock.now() + laterMs, after } });
  await slack.press(status as Message, 'Cancel', user, { to: 1 });
  await slack.until(() => slack.ephemerals.length === 1, 'a word of it');
  expect(slack.ephemerals[0]?.text).toBe('It had not begun yet, and will not.');
  laterMs = 10_000;
  look();
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([]);
  expect(model.requests).toHaveLength(0);
  expect(slack.thread(channel, ts).flatMap(buttonsOf)).toEqual([]);
  expect(slack.thread(channel, ts).map(wordsOf).at(-1)).toContain('Cancelled before it began.');
});

test('what ends every process that begins with it is given up', async () => {
  const { slack, model, channel, ts, open, change } = await leaveUnbegun();
  change("json_set(json, '$.tries', 3)");
  const { hall } = await open();
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([]);
  expect(slack.thread(channel, ts).map(wordsOf).at(-1)).toContain('the server stopped each time');
  expect(model.requests).toHaveLength(0);
});

test('what waits when a server stops is told so, and answered by the next one', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => (call === 1 ? { text: 'Lost.', until: gate.promise } : `Answer ${call}.`));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const store = await openKept();
  const { stop } = await openSlackHouse([agent], { slack, store });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> one` });
  await slack.until(() => model.requests.length === 1);
  await slack.say({ channel, user, text: `<@${slack.bot}> two`, threadTs: ts });
  await slack.until(() => slack.ephemerals.length === 1, 'that it waits');
  await stop();
  const last = () => slack.thread(channel, ts).at(-1);
  expect(wordsOf(last())).toBe('The server is stopping: I answer this when it is there again.');
  const [name = ''] = await store.notes.names('slack:unbegun:', 9);
  const note = (await store.notes.get(name)) as Record<string, Json>;
  await store.notes.put(name, { ...note, atMs: 0 }, Date.now() + 60_000);
  const next = await openSlackHouse([agent], { slack, store });
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Answer 2.'));
  await expect.poll(() => next.hall.notes.names('slack:unbegun:', 9)).toEqual([]);
  await slack.until(() => slack.thread(channel, ts).length === 4, 'nothing else');
});

test('what waits for a place when a server stops is answered by the next one, and its conversation is as it was', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => (call === 2 ? { text: 'Lost.', until: gate.promise } : `Answer ${call}.`));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const store = await openKept();
  const places = { slack: { running: 1 } };
  const { stop } = await openSlackHouse([agent], { slack, store, places });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const say = async (text: string, threadTs?: string) => {
    const { ts } = await slack.say({
      channel,
      user,
      text: `<@${slack.bot}> ${text}`,
      ...(threadTs ? { threadTs } : {}),
    });
    return threadTs ?? ts;
  };
  const wordsIn = (ts: string) => slack.thread(channel, ts).map(wordsOf).at(-1) ?? '';
  const known = await say('known');
  await slack.until(() => isAnswered(slack.thread(channel, known), 'Answer 1.'));
  await expect.poll(() => store.notes.names('slack:unbegun:', 9)).toEqual([]);
  await say('at work');
  await slack.until(() => model.requests.length === 2);
  const waiting = [await say('a new one'), await say('a further one', known)] as const;
  for (const ts of waiting) await slack.until(() => /waits/i.test(wordsIn(ts)), 'that it waits');
  await stop();
  for (const ts of waiting) expect(wordsIn(ts)).toBe('The server is stopping: I answer this when it is there again.');
  const names = await store.notes.names('slack:unbegun:', 9);
  expect(names).toHaveLength(2);
  for (const name of names) {
    const note = (await store.notes.get(name)) as Record<string, Json>;
    expect(note.tries).toBe(0);
    await store.notes.put(name, { ...note, atMs: 0 }, Date.now() + 60_000);
  }
  await openSlackHouse([agent], { slack, store });
  await slack.until(() => model.requests.length === 4, 'both requests');
  const said = model.requests.slice(2).map(({ messages }) => messages.filter(({ role }) => role === 'user').length);
  expect(said.toSorted()).toEqual([1, 2]);
});

test('what waited for a place when its process was killed is answered by the next one', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel((_, call) => (call === 2 ? { text: 'Lost.', until: gate.promise } : `Answer ${call}.`));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const [path, left] = [newFile(), newFile()];
  const gone = { settings, store: await openKept(path), places: { slack: { running: 1 } } };
  await openSlackHouse([agent], { slack, ...gone });
  const known = await ask(slack, 'known');
  await known.answer();
  await expect.poll(() => gone.store.notes.names('slack:run:', 9)).toEqual([]);
  await ask(slack, 'at work', { in: 'random', by: 'joe' });
  await slack.until(() => model.requests.length === 2);
  const fresh = await ask(slack, 'the word is banana');
  const { channel, user } = known;
  await slack.say({ channel, user, text: `<@${slack.bot}> the word is mango`, threadTs: known.ts });
  for (const { ours } of [fresh, known]) await slack.until(() => /waits/i.test(ours().map(wordsOf).join()), 'a wait');
  await expect.poll(() => gone.store.notes.names('slack:run:', 9)).toHaveLength(3);
  await expect.poll(() => leaveAsGone(path, left)).toBe(2);
  const next = { settings, store: await openKept(left), clock: lookOften };
  const { hall } = await openSlackHouse([agent], { slack, ...next });
  await slack.until(() => model.requests.length === 4, 'both requests');
  const said = model.requests.slice(2).map((request) => saidTo(request).filter((words) => words.startsWith('user:')));
  expect(said.map((words) => words.length).toSorted()).toEqual([1, 2]);
  expect(said.map((words) => /banana|mango/.exec(words.at(-1) ?? '')?.[0]).toSorted()).toEqual(['banana', 'mango']);
  for (const { ours, channel: place, ts } of [fresh, known]) {
    await slack.until(() => /Answer [34]\./.test(ours().map(wordsOf).join()), `an answer in ${place} at ${ts}`);
    await slack.until(() => !ours().some((message) => buttonsOf(message).includes('Cancel')), 'its end');
    expect(ours().map(wordsOf).join()).not.toContain('The server stopped');
  }
  await expect.poll(() => hall.notes.names('slack:unbegun:', 9)).toEqual([]);
  await expect.poll(() => hall.notes.names('slack:run:', 9)).toEqual([]);
});

test('a server that takes long to stop does not try again and again, and what it leaves is not given up', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => ({ text: 'Done.', until: gate.promise }));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const store = await openKept();
  const { hall } = await openSlackHouse([agent], { slack, store, clock: lookOften });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  await slack.say({ channel, user, text: `<@${slack.bot}> one` });
  await slack.until(() => model.requests.length === 1);
  const stopped = hall.stop(20_000);
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> two` });
  await slack.until(() => slack.thread(channel, ts).map(wordsOf).at(-1)?.startsWith('The server is stopping') === true);
  const [name = ''] = await store.notes.names('slack:unbegun:', 9);
  const note = (await store.notes.get(name)) as Record<string, Json>;
  await store.notes.put(name, { ...note, atMs: 0 }, Date.now() + 60_000);
  const { edits } = slack.thread(channel, ts).at(-1) as Message;
  await setTimeout(2_500);
  expect(slack.thread(channel, ts).at(-1)).toMatchObject({ edits });
  expect(await store.notes.get(name)).toMatchObject({ tries: 0 });
  gate.resolve();
  await stopped;
});

test('while nobody knows yet that who runs the session is gone, what is said waits', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => ({ text: 'Here it is.', until: gate.promise }));
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const [path, left] = [newFile(), newFile()];
  await openSlackHouse([agent], { slack, store: await openKept(path) });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts } = await slack.say({ channel, user, text: `<@${slack.bot}> one` });
  await slack.until(() => model.requests.length === 1);
  await expect.poll(() => leaveAsGone(path, left, Date.now() - 12_000)).toBe(0);
  const { hall } = await openSlackHouse([agent], { slack, store: await openKept(left) });
  const two = { channel, user, text: `<@${slack.bot}> two`, threadTs: ts, silently: true };
  for (const event of (await slack.say(two)).events) await slack.deliver(event, { to: 1 });
  await slack.until(() => slack.ephemerals.length === 1, 'that it waits');
  expect(slack.ephemerals[0]?.text).toBe('I am still at work here; yours is next.');
  expect(await hall.notes.names('slack:unbegun:', 9)).toHaveLength(1);
  expect(slack.thread(channel, ts).filter((message) => message.user === slack.bot)).toHaveLength(1);
  gate.resolve();
});
