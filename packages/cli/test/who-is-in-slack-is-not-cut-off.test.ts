// The promise: who is served in Slack is not cut off: neither when who started the process goes, nor before the last message of an answer is there.

import { expect, test } from 'vitest';
import { graceOfOthers, patienceFor } from '../src/commands/serve/life.ts';

const slack = {
  identity: '@desk in Example',
  primary: 'desk',
  lost: new Promise<void>(() => {}),
  running: 1,
  close: async () => {},
};

test.each([
  ['nobody else is served', { doors: [], slack: undefined }, 0],
  ['somebody is served in Slack', { doors: [], slack }, 30_000],
])('%s', (_, house, graceMs) => {
  expect(graceOfOthers({ house, graceMs: 30_000 })).toBe(graceMs);
});

test('what is still to be written in Slack has more time than what is only closed', () => {
  const idle = patienceFor({ slack: { ...slack, running: 0 } });
  expect(patienceFor({ slack: undefined })).toBe(idle);
  // Ten messages, of which Slack takes three at once and then one a second.
  expect(patienceFor({ slack })).toBeGreaterThan(8_000);
});
