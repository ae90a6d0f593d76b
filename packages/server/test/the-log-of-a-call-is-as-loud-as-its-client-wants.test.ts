// The promise: a client hears of a run what is at least as grave as it said, each entry an object that names who it is about.

import { asTool, defineTool, type ToolOffer } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agentOf, call, lastResult } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { type Listener, type LogNote, newer, older } from './support/mcp-listeners.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const levelKey = 'io.modelcontextprotocol/logLevel';

const broken = defineTool({
  name: 'break_down',
  description: 'never works',
  inputSchema: { type: 'object' },
  execute: () => {
    throw new Error('It has no wheels.');
  },
});

function house() {
  const child = agentOf('child', (request) => lastResult(request) ?? call('break_down', {}), { tools: [broken] });
  const lead = agentOf('lead', (request) => (lastResult(request) ? 'Done.' : call('child', { text: 'go' })), {
    tools: [asTool(child) as ToolOffer],
  });
  const dead = scriptedModel([{ fail: { code: 'model-auth', message: 'No.' } }], { model: 'dead' });
  const fails = agentOf('fails', [], { model: dead });
  const spare = agentOf('spare', [], { model: [dead, scriptedModel(['ok'], { model: 'spare' })] });
  return hallOf([lead, fails, spare]);
}

const eventsOf = (logged: readonly LogNote[]) =>
  logged.map(({ level, logger, data }) => `${level} ${logger} ${(data as { event: string }).event}`);

const warnings = ['warning child tool-end'];
const infos = [
  'info lead session-start',
  'info child session-start',
  'warning child tool-end',
  'info child session-end',
  'info lead session-end',
];

describe('2025-11-25, for all that comes after it was said', () => {
  test('who never said anything hears what went wrong', async () => {
    const { call: use, logged } = await older(house(), 'memory');
    await use('lead');
    expect(eventsOf(logged)).toEqual(warnings);
  });

  test('at info runs and children, at debug their tools and models too', async () => {
    const { call: use, logged, setLevel } = await older(house(), 'sockets');
    await setLevel('info');
    await use('lead');
    expect(eventsOf(logged)).toEqual(infos);
    await setLevel('debug');
    await use('lead');
    const loud = eventsOf(logged).slice(infos.length);
    expect(loud).toEqual(expect.arrayContaining([...infos, 'debug lead tool-start', 'debug child model-end']));
  });

  test('each of the eight is a level, and nothing else is', async () => {
    const { setLevel } = await older(house(), 'memory');
    for (const level of levels) expect(await setLevel(level)).toEqual({});
    await expect(setLevel('loud')).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('params.level: '),
    });
  });

  test('one connection does not set the level of another', async () => {
    const hall = house();
    const [loud, quiet] = [await older(hall, 'memory'), await older(hall, 'memory')];
    await loud.setLevel('debug');
    await quiet.setLevel('error');
    await Promise.all([loud.call('lead'), quiet.call('lead')]);
    expect(loud.logged.length).toBeGreaterThan(infos.length);
    expect(quiet.logged).toEqual([]);
  });
});

describe('2026-07-28, for one request', () => {
  const at = (level: string) => ({ _meta: { [levelKey]: level } });

  test('who says nothing hears nothing', async () => {
    const { call: use, logged } = await newer(house(), 'memory');
    await use('fails');
    expect(logged).toEqual([]);
  });

  test('what it says holds for this one alone', async () => {
    const { call: use, logged } = await newer(house(), 'sockets');
    await use('lead', at('info'));
    expect(eventsOf(logged)).toEqual(infos);
    await use('lead', at('warning'));
    expect(eventsOf(logged).slice(infos.length)).toEqual(warnings);
    await use('lead');
    expect(logged.length).toBe(infos.length + warnings.length);
  });

  test('each of the eight is a level, and nothing else is', async () => {
    const { call: use } = await newer(house(), 'memory');
    for (const level of levels) expect((await use('lead', at(level))).isError ?? false).toBe(false);
    await expect(use('lead', at('loud'))).rejects.toMatchObject({ code: -32_602 });
  });
});

describe('an entry', () => {
  const heard = async (use: (listener: Listener) => Promise<unknown>) => {
    const listener = await older(house(), 'memory');
    await use(listener);
    return listener.logged;
  };

  test('names who, which session, and why', async () => {
    const [entry] = await heard(({ call: use }) => use('lead'));
    expect(entry).toMatchObject({
      level: 'warning',
      logger: 'child',
      data: {
        event: 'tool-end',
        agent: 'child',
        instance: 'child',
        sessionId: expect.any(String),
        parentId: 's1',
        tool: 'break_down',
        status: 'failed',
        message: 'It has no wheels.',
      },
    });
  });

  test('is an error when the run failed', async () => {
    const logged = await heard(({ call: use }) => use('fails'));
    expect(logged.at(-1)).toMatchObject({
      level: 'error',
      logger: 'fails',
      data: { event: 'session-end', status: 'failed', class: 'auth', code: 'model-auth' },
    });
  });

  test('is a warning when another model is taken', async () => {
    const logged = await heard(({ call: use }) => use('spare'));
    expect(logged).toMatchObject([
      { level: 'warning', data: { event: 'model-wait', reason: 'fallback', model: 'scripted/spare' } },
    ]);
  });
});
