// The promise: a key calls the agents it names and no others, and sees no others.

import { expect, test } from 'vitest';
import { agentOf, as, governed } from './support/governed.ts';

const agents = ['desk', 'support.billing', 'support.refunds', 'secret'].map((name) => agentOf(name));
const keys = { all: {}, some: { agents: ['desk', 'support.*'] } };

test('names and globs; what is not named is forbidden, whether it exists or not', async () => {
  const { ask } = governed({ agents, keys });
  for (const name of ['desk', 'support.billing', 'support.refunds']) expect((await ask('some', name)).status).toBe(200);
  for (const name of ['secret', 'nobody', 'desk2', 'mydesk', 'support']) {
    const response = await ask('some', name);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      error: { code: 'agent-forbidden', message: `This key may not call ${name}.` },
    });
  }
  expect((await ask('all', 'secret')).status).toBe(200);
  expect((await ask('all', 'nobody')).status).toBe(404);
});

test('the list has those it may call', async () => {
  const { app } = governed({ agents, keys });
  const namesFor = async (key: string) => {
    const { agents: listed } = (await (await app.request('/v1', as(key))).json()) as { agents: { name: string }[] };
    return listed.map(({ name }) => name);
  };
  expect(await namesFor('some')).toEqual(['desk', 'support.billing', 'support.refunds']);
  expect(await namesFor('all')).toHaveLength(4);
});
