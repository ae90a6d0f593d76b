// Whoever sets something up wrongly hears it at once: the field, what was found there, and what is allowed.

import {
  type Agent,
  AIAgentSession,
  type AIAgentSessionConfig,
  agentTool,
  ask,
  asTool,
  createSlots,
  defineAgent,
  defineTool,
  isAgentError,
  MemoryOutputs,
  MemoryPauses,
  type Middleware,
  type ToolDefinition,
} from '@ai-agent/core';
import { fakePorts, type Step, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';

const good: Agent = { name: 'good', instructions: 'You are good.', model: scriptedModel(['ok']) };
const ports = fakePorts();
const layer: Middleware = { name: 'mine' };

function failureOf(act: () => unknown) {
  try {
    act();
  } catch (error) {
    if (isAgentError(error)) return error;
    throw error;
  }
  throw new TypeError('Nothing was refused.');
}

function expectRefused(act: () => unknown, message: RegExp, remedy: RegExp) {
  const failure = failureOf(act);
  expect(failure.message).toMatch(message);
  expect(failure).toMatchObject({ code: 'agent-invalid', class: 'config' });
  expect(failure.remedy).toMatch(remedy);
}

test.each<[string, object, RegExp]>([
  [
    'budgets',
    { budgets: {} },
    /the session of good: budgets is not known; known are agent, ports, instructions, tools/,
  ],
  ['limits', { limits: { maxTurns: 1 } }, /limits is not known/],
  ['onQuestions', { onQuestions: () => {} }, /onQuestions is not known; .*onQuestion/],
  ['an answerer that is none', { onQuestion: 'yes' }, /onQuestion is "yes" and must be a function/],
  ['a listener that is none', { onEvent: {} }, /onEvent is an object and must be a function/],
  ['a reader of facts that is none', { onFact: true }, /onFact is true and must be a function/],
  ['a runtime that is none', { runtime: {} }, /runtime is an object and must be a function/],
  ['one layer', { middleware: layer }, /middleware is an object and must be a list/],
  ['a layer without a name', { middleware: [{ decide: {} }] }, /middleware\[0\]\.name is undefined and must be text/],
  [
    'a hook that nobody calls',
    { middleware: [layer, { name: 'b', decide: { calls() {} } }] },
    /middleware\[1\]\.decide\.calls is not known; known are turn, call/,
  ],
  [
    'a hook beside decide',
    { middleware: [{ name: 'b', turn() {} }] },
    /middleware\[0\]\.turn is not known; known are name, decide, perform/,
  ],
  [
    'a hook that is none',
    { middleware: [{ name: 'b', perform: { tool: 1 } }] },
    /perform\.tool is 1 and must be a function/,
  ],
  [
    'a session id to continue',
    { continues: 'earlier' },
    /continues is "earlier" and must be an object with sessionId and missing/,
  ],
  ['one tool', { tools: {} }, /tools is an object and must be a list/],
  ['a tool by its name', { tools: ['search'] }, /tools\[0\] is "search" and must be a tool/],
  ['a text for a history', { history: 'hello' }, /history is "hello" and must be a list of messages/],
  [
    'a role',
    { history: [{ role: 'bot', content: [] }] },
    /history\[0\]\.role is "bot" and must be one of system, user/,
  ],
  [
    'a text for parts',
    { history: [{ role: 'user', content: 'hi' }] },
    /history\[0\]\.content is "hi" and must be a list of parts of type text, file/,
  ],
  [
    'a part',
    { history: [{ role: 'user', content: ['hi'] }] },
    /history\[0\]\.content\[0\] must be a part of type text, file/,
  ],
  [
    'a system message without text',
    { history: [{ role: 'system', content: 'x' }] },
    /history\[0\]\.text is undefined and must be text/,
  ],
  [
    'a controller',
    { signal: new AbortController() },
    /signal is an object and must be an AbortSignal: pass controller\.signal/,
  ],
  ['a signal that is none', { signal: true }, /signal is true and must be an AbortSignal/],
  ['variables that are none', { envOverlay: 'KEY=1' }, /envOverlay must be an object of texts/],
  ['a variable that there is not', { envOverlay: { KEY: undefined } }, /envOverlay\.KEY is undefined and must be text/],
  ['a text of ours that is none', { texts: { wrapup: 'x' } }, /texts\.wrapup is not known; known are dataMark/],
  ['a text where a function is needed', { texts: { wrapUp: 'x' } }, /texts\.wrapUp is "x" and must be a function/],
  ['texts', { texts: 'x' }, /texts is "x" and must be an object/],
  ['a session id', { sessionId: 7 }, /sessionId is 7 and must be text/],
  ['a handle', { resume: {} }, /resume is an object and must be text/],
  ['a contract by its name', { output: 'json' }, /output is "json" and must be an object with a format/],
  ['a format', { output: { format: 'xml' } }, /output\.format is "xml" and must be one of text, markdown, json/],
  [
    'a key of a contract',
    { output: { format: 'json', shema: {} } },
    /output\.shema is not known; known are format, schema/,
  ],
  ['an amount', { budget: { tokens: Number.NaN } }, /budget\.tokens is NaN and must be a whole number from 0/],
  ['ports', { ports: 7 }, /ports is 7 and must be an object/],
  ['a port', { ports: { ...ports, model: () => {} } }, /ports\.model is not known; known are clock, ids, models/],
  [
    'a clock',
    { ports: { ...ports, clock: { now: () => 0 } } },
    /ports\.clock\.after is undefined and must be a function/,
  ],
  [
    'a clock without a monotonic reading',
    { ports: { ...ports, clock: { now: () => 0, after: () => () => {} } } },
    /ports\.clock\.monotonicMs is undefined and must be a function/,
  ],
  ['ids', { ports: { ...ports, ids: () => 'x' } }, /ports\.ids is a function and must be an object with next/],
  ['a catalogue', { ports: { ...ports, models: { resolve() {} } } }, /ports\.models .*: pass models\.resolve/],
  ['models', { ports: { ...ports, models: 'a/b' } }, /ports\.models is "a\/b" and must be a function/],
  ['prices', { ports: { ...ports, prices: {} } }, /ports\.prices is an object and must be a function/],
  [
    'slots by number',
    { ports: { ...ports, slots: { models: 4 } } },
    /ports\.slots\.models is 4 and must be made by createSlots/,
  ],
  ['slots that nobody knows', { ports: { ...ports, slots: { model: 4 } } }, /ports\.slots\.model is not known/],
  ['a store', { ports: { ...ports, outputs: { put() {} } } }, /ports\.outputs\.get is undefined/],
  ['pauses', { ports: { ...ports, pauses: { put() {}, get() {} } } }, /ports\.pauses\.delete is undefined/],
  ['books', { ports: { ...ports, budget: {} } }, /ports\.budget\.open is undefined and must be a function/],
])('of a session: %s', async (_, options, message) => {
  const config = { agent: good, ports, ...options } as AIAgentSessionConfig;
  expectRefused(() => new AIAgentSession(config), message, /options of the session/);
  const { agent: __, ...rest } = config;
  await expect(ask(good, 'go', rest)).rejects.toThrow(message);
});

test('what a session is given as nothing, or without an agent', () => {
  expectRefused(() => new AIAgentSession(undefined as never), /config is undefined and must be an object/, /session/);
  expect(() => new AIAgentSession({} as never)).toThrow(/an agent is an object/);
});

test('a port that has to be there', () => {
  const { clock: _, ...rest } = ports;
  const failure = failureOf(() => new AIAgentSession({ agent: good, ports: rest as never }));
  expect(failure).toMatchObject({ code: 'port-missing', message: 'the session of good: ports.clock is missing.' });
});

test('a value of a variable is never shown', () => {
  const config = { agent: good, ports, envOverlay: { KEY: ['sk-secret'] } } as never;
  const { message } = failureOf(() => new AIAgentSession(config));
  expect(message).toContain('envOverlay.KEY is of type object');
  expect(message).not.toContain('sk-secret');
});

test('everything that there is passes, and so does what is left out', async () => {
  const all: Required<Omit<AIAgentSessionConfig, 'resume' | 'request' | 'runtime'>> = {
    agent: { ...good, model: scriptedModel(['fine']) },
    ports: {
      ...fakePorts(),
      slots: createSlots({ models: 1 }),
      prices: () => ({ input: 1, output: 1 }),
      outputs: new MemoryOutputs(),
      pauses: new MemoryPauses(),
    },
    instructions: 'Be brief.',
    tools: [],
    envOverlay: { KEY: 'x' },
    output: { format: 'markdown' },
    attachments: [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }],
    history: [
      { role: 'system', text: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ],
    continues: { sessionId: 'earlier', missing: [] },
    budget: { tokens: 100_000 },
    above: { agents: ['elsewhere'], depth: 1 },
    onQuestion: () => 'yes',
    signal: new AbortController().signal,
    onFact: () => {},
    onEvent: () => {},
    middleware: [
      layer,
      new (class {
        readonly name = 'counting';
        readonly seen = 0;
      })(),
    ],
    texts: { emptyReply: 'Say something.', wrapUp: (limit) => limit },
    sessionId: 'mine',
  };
  const left = { resume: undefined, request: undefined, runtime: undefined } as object;
  expect((await new AIAgentSession({ ...all, ...left }).run('go').outcome).text).toBe('fine');
});

const tool: ToolDefinition = { name: 't', inputSchema: { type: 'object' }, execute: () => '' };

test.each<[string, object, RegExp]>([
  ['needApproval', { needApproval: true }, /tool t: needApproval is not known; known are name, .*needsApproval/],
  ['parameters', { parameters: {} }, /parameters is not known; .*inputSchema/],
  ['a boolean in words', { needsApproval: 'yes' }, /needsApproval is "yes" and must be true or false/],
  ['a boolean of null', { readOnly: null }, /readOnly is null and must be true or false/],
  ['a description', { description: 7 }, /description is 7 and must be text/],
  [
    'an identity',
    { identity: { namespace: 'a', name: 'b' } },
    /identity\.name is not known; known are namespace, tool/,
  ],
  ['no time', { timeoutMs: 0 }, /timeoutMs/],
])('of a tool: %s', (_, fields, message) => {
  expectRefused(() => defineTool({ ...tool, ...fields }), message, /definition of this tool/);
});

test('a tool of an agent is refused before a model is asked', async () => {
  const tools = [{ ...tool, needApproval: true }];
  const outcome = await ask({ ...good, tools }, 'go', { ports });
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'agent-invalid', class: 'config' } });
  expect(outcome.status === 'failed' && outcome.failure.message).toContain('needApproval is not known');
});

test('a tool that is an instance of a class keeps fields of its own', async () => {
  class Counter {
    readonly name = 'count';
    readonly inputSchema = { type: 'object' };
    calls = 0;
    execute() {
      return `${++this.calls}`;
    }
  }
  const model = scriptedModel([{ calls: [{ name: 'count' }] }, 'counted']);
  const outcome = await ask({ ...good, model, tools: [new Counter()] }, 'go', { ports: fakePorts() });
  expect(outcome).toMatchObject({ status: 'completed', text: 'counted' });
});

test.each(['ask_user', 'tool_output'])('the name %s is reserved', async (name) => {
  const outcome = await ask({ ...good, tools: [{ ...tool, name }] }, 'go', { ports: fakePorts() });
  expect(outcome).toMatchObject({
    status: 'failed',
    failure: { code: 'tool-name-collision', remedy: 'Give your tool another name.' },
  });
  expect(outcome.status === 'failed' && outcome.failure.message).toContain(`The name "${name}" is reserved`);
});

test.each<[string, object, RegExp]>([
  [
    'a setting that nobody knows',
    { settings: { maxTokens: 5 } },
    /settings\.maxTokens is not known; known are maxOutputTokens/,
  ],
  [
    'temperature',
    { settings: { temperature: -1 } },
    /settings\.temperature is -1 and must be a number from 0, or null/,
  ],
  ['a temperature in words', { settings: { temperature: 'hot' } }, /settings\.temperature is "hot"/],
  [
    'no output',
    { settings: { maxOutputTokens: 0 } },
    /settings\.maxOutputTokens is 0 and must be a whole number from 1/,
  ],
  ['topP', { settings: { topP: 1.5 } }, /settings\.topP is 1\.5 and must be a number from 0 to 1/],
  ['seed', { settings: { seed: 0.5 } }, /settings\.seed is 0\.5 and must be a whole number/],
  [
    'one stop sequence',
    { settings: { stopSequences: 'END' } },
    /settings\.stopSequences is "END" and must be a list of texts/,
  ],
  ['settings', { settings: 3 }, /settings is 3 and must be an object/],
  ['limits', { limits: 3 }, /limits is 3 and must be an object/],
  ['a limit that is no number', { limits: { maxTurns: Number.NaN } }, /limits\.maxTurns is NaN/],
  ['a limit by a name of the language', { limits: { toString: 1 } }, /limits\.toString is not known/],
  ['one tool', { tools: tool }, /tools is an object and must be a list/],
  ['a missing tool', { tools: [undefined] }, /tools\[0\] is undefined and must be a tool/],
  ['one layer', { middleware: layer }, /middleware is an object and must be a list/],
  ['a text of ours', { texts: { wrapup: 'x' } }, /texts\.wrapup is not known/],
  ['a description', { description: 7 }, /description is 7 and must be text/],
  ['a model', { model: 7 }, /model is 7 and must be provider\/model/],
  ['a contract', { output: 'json' }, /output is "json" and must be an object/],
  ['a schema', { output: { format: 'json', schema: 'x' } }, /output\.schema is "x" and must be a JSON Schema/],
])('of an agent: %s', (_, fields, message) => {
  expectRefused(() => defineAgent({ ...good, ...fields } as Agent), message, /agent definition/);
});

test('null takes a setting away, and all settings pass', () => {
  const settings = { maxOutputTokens: 1, temperature: null, topP: 1, seed: -3, stopSequences: ['END'] };
  expect(defineAgent({ ...good, settings }).settings).toBe(settings);
});

test.each<[string, object, RegExp]>([
  ['no places', { models: 0 }, /slots\.models is 0 and must be a whole number from 1/],
  ['half a place', { tools: 0.5 }, /slots\.tools is 0\.5 and must be a whole number from 1/],
  ['a key', { model: 3 }, /slots\.model is not known; known are models, tools/],
  ['a number', 3 as never, /slots is 3 and must be an object/],
])('of createSlots: %s', (_, options, message) => {
  expectRefused(() => createSlots(options), message, /createSlots/);
});

const definition = { name: 'a', description: 'Does it.', createSession: () => new AIAgentSession({ agent: good }) };

test.each<[string, object, RegExp]>([
  ['a key', { timeout: 5 }, /agentTool a: timeout is not known; known are name, .*timeoutMs/],
  ['no time', { timeoutMs: 0 }, /timeoutMs is 0 and must be a whole number from 1/],
  ['a part of a millisecond', { timeoutMs: 1.5 }, /timeoutMs is 1\.5/],
  ['no description', { description: undefined }, /description is undefined and must be text/],
  ['nothing to make a session', { createSession: undefined }, /createSession is undefined and must be a function/],
  ['a mapper', { mapResult: 'x' }, /mapResult is "x" and must be a function/],
])('of agentTool: %s', (_, fields, message) => {
  expectRefused(() => agentTool({ ...definition, ...fields }), message, /agentTool/);
});

test('of asTool', () => {
  const agent = { ...good, description: 'Is good.' };
  const wrap = (options: unknown) => () => asTool(agent, options as never);
  expectRefused(wrap({ env: {} }), /asTool of good: env is not known; known are envOverlay/, /asTool/);
  expectRefused(wrap({ envOverlay: { A: 1 } }), /envOverlay\.A is of type number and must be text/, /asTool/);
  expectRefused(wrap('x'), /the second argument is "x"/, /asTool/);
});

test.each<[string, unknown, RegExp]>([
  ['a key', { txt: 'x' }, /step 2 of the script: txt is not known; known are text/],
  ['a key of a call', { calls: [{ name: 't', args: {} }] }, /calls\[0\]\.args is not known; known are name, input, id/],
  ['a call by its name', { calls: ['t'] }, /calls\[0\] must be an object with the name of a tool/],
  ['a code', { fail: { code: 'rate-limit' } }, /fail\.code is "rate-limit" and must be one of .*model-rate-limit/],
  ['a key of a failure', { fail: { code: 'model-auth', retryAfter: 1 } }, /fail\.retryAfter is not known/],
  ['a latency without a clock', { text: 'x', latencyMs: 5 }, /latencyMs needs a clock/],
  ['nothing', undefined, /it is undefined and must be text, or an object/],
])('of a script: %s', async (_, step, message) => {
  expectRefused(() => scriptedModel(['first', step as Step]), message, /script|clock/);
  if (step === undefined) return;
  const late = scriptedModel((_request, call) => (call === 1 ? { calls: [{ name: 'x' }] } : (step as Step)));
  const outcome = await ask({ ...good, model: late }, 'go', { ports: fakePorts() });
  expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'agent-invalid' } });
  expect(outcome.status === 'failed' && outcome.failure.message).toMatch(message);
});

test('of scriptedModel: an option that nobody knows', () => {
  expect(() => scriptedModel(['x'], { name: 'x' } as never)).toThrow(/scriptedModel: name is not known/);
});
