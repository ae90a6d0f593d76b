// The promise: Slack is told that something was heard when it is noted, and not before: who is gone in between has not heard it, and Slack delivers it again. A store that hangs keeps nobody longer than Slack waits.

import { defineAgent, type NoteStore, type SessionStore } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { isAnswered } from './support/answers.ts';
import { openKept } from './support/kept.ts';
import { openSlackHouse } from './support/slack-house.ts';

/** One whose notes are claimed only when the gate is open. */
function behind(store: SessionStore & { readonly notes: NoteStore }, gate: Promise<void>): SessionStore {
  const claim: NoteStore['claim'] = async (...note) => {
    await gate;
    return store.notes.claim(...note);
  };
  const withClaim = (notes: NoteStore) =>
    new Proxy(notes, { get: (all, key) => (key === 'claim' ? claim : own(all, key)) });
  return new Proxy(store, { get: (all, key) => (key === 'notes' ? withClaim(store.notes) : own(all, key)) });
}

function own(all: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(all, key);
  return typeof value === 'function' ? value.bind(all) : value;
}

test('as soon as that, and within three seconds', async () => {
  const gate = Promise.withResolvers<void>();
  const model = scriptedModel(() => 'Here it is.');
  const agent = defineAgent({ name: 'desk', model, instructions: 'Answer.' });
  const { slack } = await openSlackHouse([agent], { store: behind(await openKept(), gate.promise) });
  const [channel, user] = [slack.channel('general'), slack.person('jane')];
  const { ts, events } = await slack.say({ channel, user, text: `<@${slack.bot}> go`, silently: true });
  const mention = events.find(({ event }) => event.type === 'app_mention');
  let isAcknowledged = false;
  const begunAt = Date.now();
  const delivered = slack.deliver(mention ?? {}).then(() => {
    isAcknowledged = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(isAcknowledged).toBe(false);
  await delivered;
  expect(Date.now() - begunAt).toBeLessThan(3_000);
  gate.resolve();
  await slack.until(() => isAnswered(slack.thread(channel, ts), 'Here it is.'), 'the answer');
});
