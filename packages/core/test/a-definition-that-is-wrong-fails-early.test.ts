import { type Agent, AIAgentSession, asTool, defineAgent, defineTool, type ModelResolver } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';

const good: Agent = { name: 'good', instructions: 'You are good.', model: scriptedModel(['ok']) };

test.each<[string, Partial<Agent> | object, RegExp]>([
  ['a name with a colon', { name: 'a:b' }, /name "a:b"/],
  ['no instructions', { instructions: undefined }, /instructions/],
  ['no model', { model: undefined }, /model is missing/],
  ['an unknown field', { maxTurns: 3 }, /maxTurns is not known; known are name/],
  ['a limit of zero', { limits: { maxTurns: 0 } }, /limits\.maxTurns is 0 and must be a whole number from 1/],
  ['an unknown limit', { limits: { maxTruns: 3 } }, /limits\.maxTruns is not known; known are maxTurns/],
  [
    'an unknown format',
    { output: { format: 'xml' } },
    /output\.format is "xml" and must be one of text, markdown, json/,
  ],
  ['a schema without JSON', { output: { format: 'text', schema: {} } }, /output\.schema needs output\.format json/],
  [
    'a broken schema',
    { output: { format: 'json', schema: { type: 'objekt' } } },
    /output\.schema of agent good is not a valid JSON Schema/,
  ],
])('%s', (_, wrong, message) => {
  expect(() => defineAgent({ ...good, ...wrong } as Agent)).toThrow(message);
  expect(() => new AIAgentSession({ agent: { ...good, ...wrong } as Agent })).toThrow(message);
});

test('what is no agent, no prompt or no tool is said at once', () => {
  expect(() => defineAgent(null as never)).toThrow(/an agent is an object/);
  expect(() => new AIAgentSession({ agent: good, ports: fakePorts() }).run(undefined as never)).toThrow(
    /must be text or a JSON object/,
  );
  expect(() => defineTool({ name: 't', inputSchema: { type: 'objekt' }, execute: () => '' })).toThrow(
    /of type object, not "objekt"/,
  );
  expect(() =>
    defineTool({ name: 't', inputSchema: { type: 'object', properties: { a: 'number' } }, execute: () => '' }),
  ).toThrow(/not a valid JSON Schema/);
});

test('a sub-agent needs a description: callers choose it by that', () => {
  expect(() => asTool(good)).toThrow(/description is missing/);
});

test('ports are needed at the root', () => {
  expect(() => new AIAgentSession({ agent: good }).run('go')).toThrow(/needs ports/);
});

test('a session is single-use', async () => {
  const session = new AIAgentSession({ agent: good, ports: fakePorts() });
  await session.run('go').outcome;
  expect(() => session.run('again')).toThrow(/has run already/);
});

test('a model named by a string is resolved with the session’s own variables, once per session', async () => {
  const asked: unknown[] = [];
  const models: ModelResolver = (ref, { env }) => {
    asked.push([ref, env]);
    return scriptedModel(['ok']);
  };
  const ports = fakePorts({ models });
  for (const key of ['a', 'b']) {
    await new AIAgentSession({ agent: { ...good, model: 'some/model' }, ports, envOverlay: { KEY: key } }).run('go')
      .outcome;
  }
  expect(asked).toEqual([
    ['some/model', { KEY: 'a' }],
    ['some/model', { KEY: 'b' }],
  ]);
});

test('without a models port a string is a failed run that says so', async () => {
  const { models: _, ...ports } = fakePorts();
  const outcome = await new AIAgentSession({ agent: { ...good, model: 'some/model' }, ports }).run('go').outcome;
  expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'port-missing' } });
});

test('instructions that cannot be rendered are the author’s mistake, and said so', async () => {
  const broken = { ...good, instructions: () => [].join.call(null) };
  const outcome = await new AIAgentSession({ agent: broken, ports: fakePorts() }).run('go').outcome;
  expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'agent-invalid' } });
});

test('a schema may refer to itself', () => {
  const schema = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
  expect(defineAgent({ ...good, output: { format: 'json', schema } }).name).toBe('good');
});

test('a model that breaks in a way of its own is a failure of the model, with its words', async () => {
  const model = { provider: 'p', model: 'm', call: () => Promise.reject(new RangeError('out of range')) };
  const outcome = await new AIAgentSession({ agent: { ...good, model }, ports: fakePorts() }).run('go').outcome;
  expect(outcome).toMatchObject({
    status: 'failed',
    failure: { class: 'model', code: 'model-failed', message: 'out of range' },
  });
});

test('a resolver that breaks is a failure of the set-up', async () => {
  const ports = fakePorts({ models: () => Promise.reject(new RangeError('no catalogue')) });
  const outcome = await new AIAgentSession({ agent: { ...good, model: 'a/b' }, ports }).run('go').outcome;
  expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'model-unknown' } });
});
