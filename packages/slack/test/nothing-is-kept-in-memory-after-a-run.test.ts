// The promise: a server answers for months: when a run has ended, nothing of it stays in memory but what the notes hold.

import { defineAgent } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Lanes } from '../src/run/lanes.ts';
import { LiveRuns } from '../src/run/live-runs.ts';
import { openSlackHouse } from './support/slack-house.ts';
import { ask } from './support/talk.ts';

test('a lane is gone when nobody is in it, also when the work broke', async () => {
  const lanes = new Lanes(5);
  const works = Array.from({ length: 200 }, (_, i) =>
    lanes.enter(`thread ${i}`, async () => {
      if (i % 2) throw new Error('It broke.');
    }),
  );
  expect((await Promise.allSettled(works)).filter(({ status }) => status === 'rejected')).toHaveLength(100);
  expect(Array.from({ length: 200 }, (_, i) => lanes.count(`thread ${i}`)).every((count) => count === 0)).toBe(true);
  await lanes.whenEmpty();
});

test('a run is forgotten by who added it alone', () => {
  const runs = new LiveRuns();
  const run = { asker: 'U1', isShownBy: () => true, end: async () => {}, leave: async () => {} };
  const thread = { team: 'T', channel: 'C', ts: '1.0' };
  runs.add(thread, run);
  runs.remove(thread, { ...run });
  expect(runs.of(thread)).toBe(run);
  runs.remove(thread, run);
  expect(runs.size).toBe(0);
});

test('what ran is not found among the running', async () => {
  const model = scriptedModel(() => 'Done.');
  const { slack, headend, hall } = await openSlackHouse([
    defineAgent({ name: 'desk', model, instructions: 'Answer.' }),
  ]);
  for (let round = 0; round < 2; round++) {
    const talks = await Promise.all(
      Array.from({ length: 6 }, (_, i) => ask(slack, 'go', { in: `channel-${round}-${i}` })),
    );
    const answers = await Promise.all(talks.map((talk) => talk.answer()));
    await slack.until(() => headend.running === 0, 'the end');
    // Where it was shown is noted only while it runs.
    await expect.poll(() => hall.notes.names('slack:run:', 10)).toEqual([]);
    expect(answers).toHaveLength(6);
  }
  expect(model.requests).toHaveLength(12);
});
