// The promise: one mistake in a router is one error, with its line, that says how it is written.

import { expect, test } from 'vitest';
import { toLine } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const long = Array.from({ length: 20 }, (_, i) => `team/agent-${i}.ai`);

test.each([
  ['router: a.ai', '3: error: router: found "a.ai"; write router: { destinations: [a.ai] }'],
  ['router: [a.ai, b.ai]', '3: error: router: found a list of 2; write router: { destinations: [a.ai, b.ai] }'],
  [
    `router: [${long.join(', ')}]`,
    '3: error: router: found a list of 20; write router: { destinations: [a.ai, b.ai] }',
  ],
  ['router: true', '3: error: router: found true; write router: { destinations: [a.ai, b.ai] }'],
  ['router: {}', '3: error: router: has no destinations; must be an object with destinations: at least one path'],
  ['router:\n  destinations: []', '4: error: router.destinations: is empty; name at least one path'],
  ['router: { destinations: "" }', '3: error: router.destinations: is empty; name at least one path'],
  [
    'router: { destinations: 7 }',
    '3: error: router.destinations: found 7; must be a list of names, or names with commas between them',
  ],
  ['router:\n  destination: a.ai', '4: error: router.destination: is not known; did you mean destinations?'],
  ['destinations: a.ai', '3: error: destinations: is written inside router: router: { destinations: [a.ai, b.ai] }'],
])('%s', async (said, told) => {
  const files = { 'lead.ai': agentFile(said), 'a.ai': childFile(), 'b.ai': childFile() };
  const { problems } = await loadFiles(files, ['lead.ai']);
  expect(problems.map((one) => toLine(one))).toEqual([`lead.ai:${told}`]);
});
