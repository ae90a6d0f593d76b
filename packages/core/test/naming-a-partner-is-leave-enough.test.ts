// The promise: what an agent is allowed to call is about its model; its partners work all the same, unless somebody denies them.

import { type Agent, ask, asPartner } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';

const agent = (name: string, more: Partial<Agent> = {}): Agent => ({
  name,
  instructions: `You are ${name}.`,
  model: scriptedModel([`${name} speaks.`]),
  ...more,
});

const partner = (name: string) => asPartner(agent(name));

async function run(lead: Partial<Agent>) {
  const outcome = await ask(agent('lead', lead), 'May we?', { ports: fakePorts() });
  const [, asked] = outcome.conversations[outcome.sessionId] ?? [];
  const text = JSON.stringify(asked);
  return { outcome, heard: [...text.matchAll(/agent=\\"(\w+)\\">\\n([^\\]*)/g)].map(([, name, said]) => [name, said]) };
}

test('a list of what it may call does not have to name them', async () => {
  const { outcome, heard } = await run({
    advisors: [partner('law')],
    handoff: [partner('editor')],
    permissions: { allow: ['nothing__else'] },
  });
  expect(heard).toEqual([['law', 'law speaks.']]);
  expect(outcome).toMatchObject({ status: 'completed', text: 'editor speaks.' });
});

test('what is denied is denied to them too', async () => {
  const { heard } = await run({
    advisors: [partner('law'), partner('money')],
    permissions: { deny: ['advisor__law'] },
  });
  expect(heard).toEqual([
    ['law', 'Failed (tool): lead may not call advisor__law.'],
    ['money', 'money speaks.'],
  ]);
});
