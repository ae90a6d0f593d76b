// The promise: what goes from partner to partner shows no secret and no key: advice that becomes part of a prompt, messages of routers, answers handed on.

import { type Agent, asPartner } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { keys } from './support/keys.ts';
import { canary, expectHidden, look, plainCanary } from './support/seen.ts';
import { agent } from './support/walk.ts';

const teams: Readonly<Record<string, (secret: string) => Agent>> = {
  'what an advisor says': (secret) =>
    agent('lead', ['done'], { advisors: [asPartner(agent('law', [`Use ${secret}.`]))] }),
  'what a router adds': (secret) =>
    agent('desk', [handOver(secret)], { router: { destinations: [asPartner(agent('billing', ['done']))] } }),
  'what is handed on': (secret) =>
    agent('draft', [`It is ${secret}.`], { handoff: [asPartner(agent('edit', ['done']))] }),
  'what the last one says': (secret) =>
    agent('draft', ['It is.'], { handoff: [asPartner(agent('edit', [`done with ${secret}`]))] }),
};

test.each(Object.entries(teams))('%s', async (_, team) => {
  expectHidden(await look(team(`${canary} and ${plainCanary}`)));
});

// Prompts of partners go through the door as JSON: there a new line is two signs, and the second is a letter.
test.each(Object.entries(teams))('%s, of what has the shape of a key', async (_, team) => {
  for (const key of Object.values(keys).filter((one) => !one.includes('\n'))) {
    const { shown } = await look(team(`these:\n${key}`));
    expect(shown).toContain('***');
    expect(shown).not.toContain(key);
  }
});

function handOver(message: string) {
  return { calls: [{ name: 'router__handoff-to', input: { agent: 'billing', message } }] };
}
