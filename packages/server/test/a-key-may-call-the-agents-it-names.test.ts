// The promise: a key calls the agents it names and no others, and sees no others.

import { asPartner, asTool } from '@ai-agent/core';
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

test('the list tells who uses whom, among those it may call, and nothing of that to who visits a page', async () => {
  const [refunds, billing, clerk] = ['refunds', 'billing', 'clerk'].map((name) => agentOf(name));
  if (!refunds || !billing || !clerk) return expect.fail();
  const tool = asTool({ ...refunds, description: 'Pays back' });
  const team = [
    { ...agentOf('desk'), tools: [tool], advisors: [asPartner(clerk)] },
    { ...billing, tools: [tool] },
  ];
  const page = 'https://shop.example';
  const visitors = { agents: ['*'], origins: [page], requestsPerMinute: 9 };
  const { app } = governed({
    agents: [...team, refunds, clerk],
    keys: { all: {}, few: { agents: ['desk', 'refunds'] }, visitors },
  });
  const usedFor = async (key: string) => {
    const { agents: listed } = (await (await app.request('/v1', as(key, { origin: page }))).json()) as {
      agents: { name: string; usedBy?: string[] }[];
    };
    return Object.fromEntries(listed.flatMap(({ name, usedBy }) => (usedBy ? [[name, usedBy]] : [])));
  };
  expect(await usedFor('all')).toEqual({ refunds: ['desk', 'billing'], clerk: ['desk'] });
  expect(await usedFor('few')).toEqual({ refunds: ['desk'] });
  expect(await usedFor('visitors')).toEqual({});
});

test('of two files of the same name, each has its own users', async () => {
  const [one, other] = ['one', 'other'].map((toolName) => ({ ...agentOf('refunds'), description: 'Pays', toolName }));
  if (!one || !other) return expect.fail();
  const desk = { ...agentOf('desk'), tools: [asTool(one)] };
  const clerk = { ...agentOf('clerk'), advisors: [asPartner(other)] };
  const served = [one, other].map((agent) => ({ name: agent.toolName, agent }));
  const { app } = governed({ agents: [...served, desk, clerk] });
  expect(await (await app.request('/v1')).json()).toMatchObject({
    agents: [{ name: 'one', usedBy: ['desk'] }, { name: 'other', usedBy: ['clerk'] }, {}, {}],
  });
});
