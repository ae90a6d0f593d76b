// The promise: two questions that differ in anything that may change their answer never share one; nor do two people.

import { type Agent, type AIAgentSessionConfig, asPartner, asTool, defineTool } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { hour, isCached, Shared } from './support/caches.ts';
import { agent } from './support/walk.ts';

const cache = { ttlMs: hour };
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
const file = (data: string) => ({ type: 'file' as const, mediaType: 'image/png', data });
const look = (description: string) =>
  defineTool({ name: 'look', description, inputSchema: { type: 'object' }, execute: () => '' });
const child = (more: Partial<Agent>, envOverlay = {}) => asTool(agent('child', [], more), { envOverlay });
const partner = (more: Partial<Agent>, TENANT = '') =>
  asPartner(
    agent('partner', () => 'said', more),
    { envOverlay: { TENANT } },
  );
const schema = (type: string) => ({ type: 'object', properties: { n: { type } } });
const json = (type: string) => ({ output: { format: 'json' as const, schema: schema(type) } });

type Asking = Partial<AIAgentSessionConfig> & { readonly prompt?: string };

const sessions: readonly [string, Asking, Asking][] = [
  ['prompts', { prompt: 'one' }, { prompt: 'two' }],
  ['histories', { history: [user('a')] }, { history: [user('b')] }],
  ['a history and none', { history: [user('a')] }, {}],
  ['attachments', { attachments: [file('AAAA')] }, { attachments: [file('BBBB')] }],
  ['values of a variable', { envOverlay: { TENANT: 'a' } }, { envOverlay: { TENANT: 'b' } }],
  ['secrets', { envOverlay: { API_KEY: 'secret-one' } }, { envOverlay: { API_KEY: 'secret-two' } }],
  ['forms that callers want', { output: { format: 'markdown' } }, { output: { format: 'text' } }],
  ['schemas that callers want', json('number'), json('integer')],
  ['tools of a session', { tools: [look('a')] }, { tools: [look('b')] }],
  ['sentences', { texts: { dataMark: 'a' } }, { texts: { dataMark: 'b' } }],
  ['layers', { middleware: [{ name: 'a' }] }, { middleware: [{ name: 'b' }] }],
];

test.each(sessions)('different %s have different answers', async (_what, one, other) => {
  const shared = new Shared();
  // Without a version, and with one: then the answer is found before anything is opened.
  for (const version of [{}, { version: '1' }]) {
    const lead = agent('lead', () => '{"n": 1}', { cache: { ...cache, ...version } });
    const found = [];
    for (const asking of [one, other, one, other]) found.push(isCached(await shared.ask(lead, asking)));
    expect(found).toEqual([false, false, true, true]);
  }
});

const agents: readonly [string, Partial<Agent>, Partial<Agent>][] = [
  ['names', { name: 'a' }, { name: 'b' }],
  ['instructions', { instructions: 'a' }, { instructions: () => 'b' }],
  ['settings', { settings: { temperature: 0 } }, { settings: { temperature: 1 } }],
  ['limits', { limits: { maxTurns: 3 } }, { limits: { maxTurns: 4 } }],
  ['contracts', {}, { output: { format: 'markdown' } }],
  ['ways to read long results', { toolOutput: { maxChunks: 1 } }, { toolOutput: { maxChunks: 2 } }],
  ['tools', { tools: [look('a')] }, { tools: [look('b')] }],
  ['permissions', { permissions: { deny: ['look'] } }, { permissions: { ask: ['look'] } }],
  ['hints', { hints: { parallel: 2 }, tools: [look('a')] }, { hints: { parallel: 3 }, tools: [look('a')] }],
  ['sub-agents', { tools: [child({ instructions: 'a' })] }, { tools: [child({ instructions: 'b' })] }],
  ['variables of sub-agents', { tools: [child({}, { TENANT: 'a' })] }, { tools: [child({}, { TENANT: 'b' })] }],
  ['advisors', { advisors: [partner({ instructions: 'a' })] }, { advisors: [partner({ instructions: 'b' })] }],
  ['variables of those who go on', { handoff: [partner({}, 'a')] }, { handoff: [partner({}, 'b')] }],
  [
    'variables far below',
    { tools: [child({ tools: [child({}, { TENANT: 'a' })] })] },
    { tools: [child({ tools: [child({}, { TENANT: 'b' })] })] },
  ],
];

test.each(agents)('agents of different %s share nothing', async (_what, one, other) => {
  const shared = new Shared();
  const make = (more: Partial<Agent>) => ({ ...agent('lead', () => 'said', { cache }), ...more });
  const found = [];
  for (const more of [one, other, one, other]) found.push(isCached(await shared.ask(make(more))));
  expect(found).toEqual([false, false, true, true]);
});

test('different models share nothing', async () => {
  const shared = new Shared();
  const lead = agent('lead', () => 'said', { cache });
  const other = { ...lead, model: [lead.model, { ...lead.model, model: 'other' }] };
  expect([isCached(await shared.ask(lead)), isCached(await shared.ask(other))]).toEqual([false, false]);
  expect([isCached(await shared.ask(lead)), isCached(await shared.ask(other))]).toEqual([true, true]);
});

test('what a caller denies is not answered from what others may do', async () => {
  const shared = new Shared();
  const below = agent('child', () => 'said', { cache: { ...cache, version: '1' }, tools: [look('a')] });
  const call = { calls: [{ name: 'agent__child', input: { reason: 'r', text: 't' } }] };
  const lead = (permissions: Agent['permissions']) =>
    agent('lead', [call, 'end'], { tools: [asTool(below)], ...(permissions ? { permissions } : {}) });
  await shared.ask(lead(undefined));
  await shared.ask(lead({ deny: ['look'] }));
  expect(below.model.requests).toHaveLength(2);
  await shared.ask(lead(undefined));
  await shared.ask(lead({ deny: ['look'] }));
  expect(below.model.requests).toHaveLength(2);
});

test('one that has no room for its own agents does not answer for one that has', async () => {
  const shared = new Shared();
  const below = agent('below', () => 'deep', { cache, tools: [child({})] });
  const call = { calls: [{ name: 'agent__below', input: { reason: 'r', text: 'go' } }] };
  await shared.ask(agent('lead', [call, 'end'], { tools: [asTool(below)], limits: { maxDepth: 1 } }));
  const outcome = await shared.ask(agent('lead', [call, 'end'], { tools: [asTool(below)] }));
  expect([outcome.status, below.model.requests.length]).toEqual(['completed', 2]);
});

describe('one below whose prompt only a function knows', () => {
  const called = { calls: [{ name: 'agent__child', input: { reason: 'r', text: 't' } }] };
  const greets = (name: string) => agent('child', () => `Hello ${name}.`, { instructions: () => `Greet ${name}.` });
  const between = (tools: Agent['tools'] & object) => agent('child', () => 'said', { tools });
  const teams: readonly [string, (name: string, more?: Partial<Agent>) => Agent][] = [
    ['as a sub-agent', (name, more) => leadOf({ tools: [asTool(greets(name))], ...more })],
    ['as an advisor', (name, more) => leadOf({ advisors: [asPartner(greets(name))], ...more })],
    ['as who goes on', (name, more) => leadOf({ handoff: [asPartner(greets(name))], ...more })],
    ['far below', (name, more) => leadOf({ tools: [asTool(between([asTool(greets(name))]))], ...more })],
  ];
  const leadOf = (more: Partial<Agent>) =>
    agent('lead', ({ messages }) => (messages.at(-1)?.role === 'tool' ? JSON.stringify(messages) : called), {
      cache,
      ...more,
    });

  test.each(teams)('%s is not answered for', async (_where, team) => {
    const shared = new Shared();
    await shared.ask(team('Ann'));
    expect(isCached(await shared.ask(team('Bob')))).toBe(false);
    expect(shared.puts).toEqual([]);
  });

  test.each(teams)('%s is answered for by a version that says it all', async (_where, team) => {
    const shared = new Shared();
    const of = (name: string) => team(name, { cache: { ...cache, version: name } });
    const found = [];
    for (const name of ['Ann', 'Bob', 'Ann']) found.push(isCached(await shared.ask(of(name))));
    expect(found).toEqual([false, false, true]);
  });

  test('is known by its own version', async () => {
    const shared = new Shared();
    const of = (version: string) => {
      const below = { ...greets(version), cache: { ...cache, version } };
      return agent('lead', () => 'said', { cache, tools: [asTool(below)] });
    };
    const found = [];
    for (const name of ['Ann', 'Bob', 'Ann']) found.push(isCached(await shared.ask(of(name))));
    expect(found).toEqual([false, false, true]);
  });

  test('is looked at when a session has it beside the agent, whatever the version', async () => {
    const shared = new Shared();
    const lead = agent('lead', () => 'said', { cache: { ...cache, version: '1' } });
    await shared.ask(lead, { tools: [asTool(greets('Ann'))] });
    expect(shared.puts).toEqual([]);
  });
});
