import { defineTool, type ToolSource } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agent, nextTick, start, walk } from './support/walk.ts';

const ping = defineTool({ name: 'ping', inputSchema: { type: 'object' }, execute: () => 'pong' });

test('a source is listed when the session opens, and what it lists is like any other tool', async () => {
  const seen: object[] = [];
  const source: ToolSource = {
    list: async ({ env }) => {
      seen.push(env);
      return [ping];
    },
  };
  const clerk = agent('clerk', [{ calls: [{ name: 'ping' }] }, 'ok'], { tools: [source] });
  expect(seen).toEqual([]);
  const { outcome } = await walk(clerk, 'go', { envOverlay: { KEY: 'value' } });
  expect(outcome.status).toBe('completed');
  expect(seen).toEqual([{ KEY: 'value' }]);
  expect(JSON.stringify(clerk.model.requests[1]?.messages)).toContain('pong');
});

test('a tool that its owner changed is offered as it is now, and not before', async () => {
  const changing = { ...ping, description: 'before' };
  const clerk = () => agent('clerk', ['ok'], { tools: [changing] });
  const [first, second] = [clerk(), clerk()];
  await walk(first);
  changing.description = 'after';
  await walk(second);
  const described = [first, second].map(({ model }) => model.requests[0]?.tools.map((tool) => tool.description));
  expect(described).toEqual([['before'], ['after']]);
});

test('variables are the session’s own: a tool can neither change them nor the caller’s', async () => {
  const envOverlay: Record<string, string> = { KEY: 'value' };
  const spoil = defineTool({
    name: 'spoil',
    inputSchema: { type: 'object' },
    execute: (_, { env }) => {
      (env as Record<string, string>).KEY = 'spoilt';
      return 'done';
    },
  });
  const { events } = await walk(agent('clerk', [{ calls: [{ name: 'spoil' }] }, 'ok'], { tools: [spoil] }), 'go', {
    envOverlay,
  });
  expect(events.find((event) => event.type === 'tool-end')?.result.status).toBe('failed');
  expect(envOverlay).toEqual({ KEY: 'value' });
});

describe('who closes a source', () => {
  test('the session closes the one that was made for it, however the session ends', async () => {
    for (const script of [['ok'], [{ fail: { code: 'model-network' as const } }]]) {
      let closed = 0;
      const tools = [() => ({ list: () => [ping], close: () => void closed++ })];
      await walk(agent('clerk', script, { tools }));
      expect(closed).toBe(1);
    }
  });

  test('and has closed it when the outcome is there', async () => {
    let isClosed = false;
    const close = async () => {
      await nextTick();
      isClosed = true;
    };
    await walk(agent('clerk', ['ok'], { tools: [() => ({ list: () => [ping], close })] }));
    expect(isClosed).toBe(true);
  });

  test('on cancellation too', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const tools = [() => ({ list: () => [ping], close: () => resolve() })];
    const clerk = agent('clerk', () => ({ until: new Promise(() => open()) }), { tools });
    const { cancel, outcome } = start(clerk);
    await opened;
    cancel();
    expect((await outcome).status).toBe('cancelled');
    await closed;
  });

  test('a plain source is shared, and left to its owner', async () => {
    let closed = 0;
    const source = { list: () => [ping], close: () => void closed++ };
    await walk(agent('clerk', ['ok'], { tools: [source] }));
    expect(closed).toBe(0);
  });
});

test('a source that never lists keeps nobody waiting when the session is over anyway', async () => {
  const clerk = { ...agent('clerk', []), model: 'no/such', tools: [{ list: () => new Promise<never>(() => {}) }] };
  expect((await walk(clerk)).outcome).toMatchObject({ status: 'failed', failure: { code: 'model-unknown' } });
});

test('of two tools of one server that come to one name, one can be taken away there', async () => {
  const [one, other] = ['a.b', 'a b'].map((tool) => ({
    ...ping,
    name: `gh__${tool}`,
    identity: { namespace: 'gh', tool },
  }));
  const { outcome } = await walk(agent('clerk', [], { tools: [one as typeof ping, other as typeof ping] }));
  expect(outcome).toMatchObject({
    failure: { code: 'tool-name-collision', remedy: expect.stringMatching(/toolsDenied: \["a b"\] .* server gh\.$/) },
  });
});

describe('what is wrong with tools is said before a model is asked', () => {
  test.each([
    [
      'two tools of one name',
      [ping, { ...ping, name: 'pi.ng' }, { ...ping, name: 'pi ng' }],
      'tool-name-collision',
      'pi_ng',
    ],
    [
      'a source that cannot be listed',
      [{ list: () => Promise.reject(new TypeError('no server')) }],
      'tool-source-failed',
      'no server',
    ],
    [
      'a broken schema',
      [{ ...ping, inputSchema: { type: 'object', properties: { a: { type: 'strnig' } } } }],
      'schema-invalid',
      'ping',
    ],
    [
      'a schema whose root is no object',
      [{ ...ping, inputSchema: { type: 'string' } }],
      'agent-invalid',
      'of type object, not "string"',
    ],
    [
      'a tool without work',
      [{ name: 'idle', inputSchema: { type: 'object' } } as never],
      'agent-invalid',
      'no execute',
    ],
  ])('%s', async (_, tools, code, words) => {
    const clerk = agent('clerk', ['never'], { tools });
    const { outcome } = await walk(clerk);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code } });
    expect(outcome.status === 'failed' && outcome.failure.message).toContain(words);
    expect(clerk.model.requests).toEqual([]);
  });
});
