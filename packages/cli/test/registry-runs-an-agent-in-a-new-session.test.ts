// A registry knows its agents by name, and runs one in a new session with the arguments of a tool call.

import { join } from 'node:path';
import { ask, childOf, type JsonObject, loadAgents } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { call, promptIn, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider } from './support/command.ts';
import { served } from './support/served.ts';

const schema = 'input: {format: json, schema: {type: object, required: [city], properties: {city: {type: string}}}}';

async function load(more: Readonly<Record<string, string>> = {}) {
  const model = await served((request) => {
    if (request.output.format === 'json') return `{"asked":${JSON.stringify(promptIn(request))}}`;
    if (!request.system.startsWith('You are the lead.')) return `asked ${promptIn(request)}`;
    return resultsIn(request).join('') || { calls: [call('agent__desk', { text: 'from above' })] };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'description: a desk']),
    'city.ai': agentFile(['models: local/m', 'description: a city', schema]),
    'lead.ai': agentFile(['models: local/m', 'agents: desk.ai'], 'You are the lead.'),
    '.ai-agent.json': localProvider(model.baseUrl),
    ...more,
  });
  const names = ['desk.ai', 'city.ai', 'lead.ai', ...Object.keys(more)].map((name) => join(cwd, name));
  return { model, registry: await loadAgents(names, { cwd }) };
}

test('has knows the names that were loaded', async () => {
  const { registry } = await load();
  expect(['desk', 'city', 'lead', 'kid', 'desk.ai', ''].map((name) => registry.has(name))).toEqual([
    ...[true, true, true, false, false, false],
  ]);
});

test.each<[string, JsonObject | string, string]>([
  ['desk', 'in words', 'asked in words'],
  ['desk', { text: 'in words', reason: 'to know' }, 'asked in words'],
  ['desk', { text: 5, json: { a: 1 } }, 'asked {"a":1}'],
  ['city', { city: 'Athens', reason: 'to know' }, 'asked {"city":"Athens"}'],
  ['desk', { text: 'as data', format: 'json' }, '{"asked":"as data"}'],
])('%s with %j', async (name, args, text) => {
  const { registry } = await load();
  expect(await registry.run(name, args)).toMatchObject({ status: 'completed', text });
});

test('prices of the program make a budget of money possible', async () => {
  const { registry } = await load({ 'money.ai': agentFile(['models: local/m', 'budget: { costUsd: 1 }']) });
  const { agent, session } = registry.get('money') ?? expect.fail('It was not loaded.');
  const prices = () => ({ input: 1, output: 1 });
  const priced = { ...session, ports: { ...session.ports, prices } };
  expect(await ask(agent, 'hi', priced)).toMatchObject({ status: 'completed' });
  expect(await ask(agent, 'hi', session)).toMatchObject({ status: 'failed', failure: { code: 'price-unknown' } });
});

test('every run is a session of its own, and its outcome has what its sub-agents did', async () => {
  const { registry } = await load();
  const facts: string[] = [];
  const options = { onFact: ({ type }: { readonly type: string }) => facts.push(type) };
  const outcomes = await Promise.all([registry.run('lead', 'go', options), registry.run('lead', 'go')]);
  expect(new Set(outcomes.map(({ sessionId }) => sessionId)).size).toBe(2);
  expect(facts.filter((type) => type === 'session-start')).toHaveLength(2);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'completed', text: 'asked from above' });
    const [id = ''] = outcome.ledger.entries.flatMap((entry) => (entry.type === 'tool' ? (entry.sessionId ?? []) : []));
    const child = childOf(outcome, id);
    expect(child?.accounting).toHaveLength(1);
    expect(child?.opTree).toMatchObject({ status: 'completed', output: 'asked from above' });
  }
});

test('arguments that break the input schema are a failed outcome, and no model is asked', async () => {
  const { registry, model } = await load();
  const outcome = await registry.run('city', { town: 'Athens' });
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'session-input-invalid' } });
  expect(model.requests).toHaveLength(0);
});

test('a run without arguments is refused', async () => {
  const { registry } = await load();
  await expect(registry.run('desk', undefined as unknown as string)).rejects.toMatchObject({
    code: 'session-input-invalid',
    message: 'The arguments of a registry run must be an object or a text.',
  });
});

test('an answer to a question goes into the options, not into the arguments', async () => {
  const { registry, model } = await load({ 'asks.ai': agentFile(['models: local/m', 'ask: person']) });
  for (const name of ['desk', 'asks'])
    await expect(registry.run(name, { resume: 'h1', answer: 'blue' })).rejects.toMatchObject({
      code: 'session-input-invalid',
      message: 'The arguments of a registry run cannot have resume.',
      remedy: 'Set options.resume to the handle, and pass the answer as args.',
    });
  expect(model.requests).toHaveLength(0);
  // The option is the one of a session, which knows the handle or refuses it.
  const outcome = await registry.run('asks', 'blue', { resume: 'h1' });
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'question-unknown' } });
});

test('another name, and files with errors, are refused', async () => {
  const { registry } = await load();
  await expect(registry.run('dsk', 'go')).rejects.toMatchObject({
    code: 'agent-unknown',
    message: 'There is no agent dsk in this registry. Known agents: desk, city, lead.',
  });
  const empty = await loadAgents([], { cwd: await folderWith({}) });
  await expect(empty.run('desk', 'go')).rejects.toMatchObject({
    code: 'agent-unknown',
    message: 'There is no agent desk in this registry. The registry is empty.',
  });
  const broken = await load({ 'broken.ai': agentFile(['models: local/m', 'maxTurns: none at all']) });
  expect(broken.registry.has('desk')).toBe(true);
  await expect(broken.registry.run('desk', 'go')).rejects.toMatchObject({ code: 'key-invalid' });
});
