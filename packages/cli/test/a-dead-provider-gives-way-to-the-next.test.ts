// Over real sockets: what one provider cannot answer the next one does, without what only the first understands.

import { type Agent, ask, createModels, defineTool, inProcess, type Message } from '@ai-agent/cli';
import { type Script, serveScript, strict } from '@ai-agent/cli/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { anyArguments } from './support/calls.ts';
import { nextTick } from './support/doors.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server for each script, behind a provider of its own: one/m, two/m, three/m. */
async function serve(...scripts: readonly Script[]) {
  const servers = await Promise.all(scripts.map((script) => serveScript(script)));
  open.push(...servers.map((server) => () => server.close()));
  const names = ['one', 'two', 'three'].slice(0, servers.length);
  const providers = Object.fromEntries(
    servers.map(({ baseUrl }, i) => [names[i], { type: 'openai-compatible' as const, baseUrl, apiKey: 'sk-test' }]),
  );
  const look = defineTool({ name: 'look', inputSchema: anyArguments, execute: () => 'seen' });
  const lead: Agent = {
    name: 'lead',
    instructions: 'You lead.',
    model: names.map((name) => `${name}/m`),
    tools: [look],
  };
  const options = { ports: { models: createModels({ providers }).resolve }, runtime: strict(inProcess, { nextTick }) };
  return { servers, lead, options };
}

const partsOf = (messages: readonly Message[] | undefined) =>
  messages?.flatMap((message) => (message.role === 'system' ? [] : message.content.map(({ type }) => type)));

describe('a dead provider gives way to the next', () => {
  test('a refused key and a lost account cost one request each', async () => {
    const { servers, lead, options } = await serve(
      () => ({ fail: { code: 'model-auth' } }),
      () => ({ fail: { code: 'model-quota' } }),
      () => 'from three',
    );
    const outcome = await ask(lead, 'go', options);
    expect(outcome).toMatchObject({ status: 'completed', text: 'from three' });
    expect(servers.map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
    expect(outcome.ledger.entries).toMatchObject([
      { provider: 'one', status: 'failed', usage: { inputTokens: 0, outputTokens: 0 } },
      { provider: 'two', status: 'failed', usage: { inputTokens: 0, outputTokens: 0 } },
      { provider: 'three', model: 'm', status: 'ok' },
    ]);
    expect(outcome.usage).toMatchObject({ modelCalls: 3, unknownUsageCalls: 0 });
  });

  test('the conversation goes on as it is, without the reasoning of the first', async () => {
    const { servers, lead, options } = await serve(
      (_, call) =>
        call === 1
          ? { reasoning: 'I should look.', text: 'Let me look.', calls: [{ name: 'look' }] }
          : { fail: { code: 'model-auth' } },
      (_, call) => (call === 1 ? { reasoning: 'Now me.', text: 'Once more.', calls: [{ name: 'look' }] } : 'done'),
    );
    const outcome = await ask(lead, 'go', options);
    expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
    const [one, two] = servers;
    // To itself the first says its reasoning; the second never sees it, and sees its own.
    expect(partsOf(one?.requests[1]?.messages)).toEqual(['text', 'reasoning', 'text', 'tool-call', 'tool-result']);
    expect(partsOf(two?.requests[0]?.messages)).toEqual(['text', 'text', 'tool-call', 'tool-result']);
    expect(JSON.stringify(two?.requests.at(-1))).not.toContain('I should look.');
    expect(JSON.stringify(two?.requests.at(-1))).toContain('Now me.');
    const { messages: _one, ...first } = one?.requests[1] ?? { messages: [] };
    const { messages: _two, ...second } = two?.requests[0] ?? { messages: [] };
    expect(second).toEqual(first);
  });

  test('a server that is gone, and one that breaks off, are asked again and then left', async () => {
    const { servers, lead, options } = await serve(
      () => ({ text: 'half of it', cutAfter: 1 }),
      () => ({ fail: { code: 'model-unavailable', status: 503 } }),
      () => 'from three',
    );
    await servers[1]?.close();
    const deltas: unknown[] = [];
    const outcome = await ask({ ...lead, limits: { maxRetries: 2 } }, 'go', {
      ...options,
      onEvent: (event) => (event.type === 'text-delta' ? deltas.push(event.attempt) : undefined),
    });
    expect(outcome).toMatchObject({ status: 'completed', text: 'from three' });
    expect(servers.map(({ requests }) => requests.length)).toEqual([2, 0, 1]);
    expect(outcome.ledger.entries).toMatchObject([
      ...Array.from({ length: 4 }, () => ({ status: 'failed' })),
      { provider: 'three', status: 'ok' },
    ]);
    expect(new Set(deltas)).toEqual(new Set([1, 2, 5]));
  });

  test('when all are dead, the last failure is told with its class', async () => {
    const { lead, options } = await serve(
      () => ({ fail: { code: 'model-auth' } }),
      () => ({ fail: { code: 'model-quota' } }),
    );
    expect(await ask(lead, 'go', options)).toMatchObject({ status: 'failed', failure: { class: 'quota' } });
  });
});
