import type { Agent } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { agentOf, call, lookUp } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';

const report = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };
const json = { output: { format: 'json', schema: report } } as const;

interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe.each(['older', 'newer'] as const)('for a client of the %s revision', (kind) => {
  async function resultOf(agent: Agent, args: Record<string, unknown> = { text: 'go' }) {
    const client = await mcpApp([agent])[kind]();
    await client.listTools();
    const result = (await client.callTool({ name: agent.name, arguments: args })) as unknown as Result;
    return { ...result, texts: result.content.map(({ text }) => text), outcome: result._meta?.['ai-agent/outcome'] };
  }

  test('an answer is there once, as it was written', async () => {
    const markdown = '# Found\n\n- one\n- two\n';
    const { texts, structuredContent, isError, outcome } = await resultOf(
      agentOf('one', () => markdown, { output: { format: 'markdown' } }),
    );
    expect({ texts, structuredContent, isError }).toEqual({ texts: [markdown] });
    expect(outcome).toMatchObject({ status: 'completed', sessionId: expect.any(String), usage: { modelCalls: 1 } });
  });

  test('data is data, and its text is the same', async () => {
    const { texts, structuredContent, isError } = await resultOf(agentOf('one', () => '{ "total": 3 }', json));
    expect({ texts, structuredContent, isError }).toEqual({ texts: ['{"total":3}'], structuredContent: { total: 3 } });
  });

  test('an answer of megabytes is passed on whole', async () => {
    const long = 'word '.repeat(500_000).trim();
    expect((await resultOf(agentOf('one', () => long))).texts).toEqual([long]);
  });

  test('a part of an answer says behind it that it is one', async () => {
    const cut = agentOf('one', ({ tools }) => (tools.length > 0 ? call('look_up', {}) : 'so far'), {
      tools: [lookUp],
      limits: { maxTurns: 2 },
    });
    const { texts, isError, outcome } = await resultOf(cut);
    expect(texts).toEqual(['so far', expect.stringMatching(/^Partial: the limit maxTurns/)]);
    expect(isError).toBeUndefined();
    expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns' });
  });

  test('a run that a limit stopped before it had produced anything is an error', async () => {
    const empty = agentOf('one', ({ tools }) => (tools.length > 0 ? call('look_up', {}) : ' '), {
      tools: [lookUp],
      limits: { maxTurns: 2 },
    });
    const { texts, isError, outcome } = await resultOf(empty);
    expect([texts.length, texts[0], isError]).toEqual([1, expect.stringContaining('The limit maxTurns'), true]);
    expect(texts[0]).not.toContain('What was produced');
    expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', failure: { code: 'limit-reached' } });
  });

  test('a part that keeps its contract is data; one that does not is an error', async () => {
    const script =
      (last: string) =>
      ({ tools }: { tools: readonly { name: string }[] }) =>
        tools.some(({ name }) => name === 'look_up') ? call('look_up', {}) : last;
    const more = { ...json, tools: [lookUp], limits: { maxTurns: 2 } };
    const kept = await resultOf(agentOf('one', script('{"total":1}'), more));
    expect(kept).toMatchObject({ structuredContent: { total: 1 }, outcome: { status: 'partial' } });
    expect(kept.isError).toBeUndefined();
    const broken = await resultOf(agentOf('one', script('no idea'), more));
    expect(broken.isError).toBe(true);
    expect(broken.structuredContent).toBeUndefined();
  });

  test('a question is no error of who talks, and one of who promised data', async () => {
    const ask = () => call('ask_user', { question: 'Which year?', reason: undefined });
    const talks = await resultOf(agentOf('one', ask, { ask: 'caller' }));
    expect(talks.texts).toEqual([expect.stringContaining('Which year?')]);
    expect(talks.isError).toBeUndefined();
    const { sessionId, ...outcome } = talks.outcome as { sessionId: string };
    expect(outcome).toMatchObject({ status: 'needs_user_input', resume: sessionId, question: { handle: sessionId } });
    expect(talks.texts[0]).toContain(sessionId);
    expect((await resultOf(agentOf('one', ask, { ask: 'caller', ...json }))).isError).toBe(true);
    const persons = await resultOf(agentOf('one', ask, { ask: 'person' }));
    expect(persons.texts[0]).toMatch(/^It asks a person .*"resume".*Do not answer yourself\.$/s);
    expect(persons.texts[0]).not.toContain('from what you know');
  });

  test('a failure has its class, what to do, and nothing of the inside', async () => {
    const fail = { code: 'model-request-refused', message: 'No such file /etc/secret/place.', status: 422 } as const;
    const { texts, isError, outcome } = await resultOf(agentOf('one', () => ({ fail })));
    expect(isError).toBe(true);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toMatch(/^Failed \(model\): .*No such file …[\s\S]*What to do: /);
    expect(JSON.stringify([texts, outcome])).not.toContain('/etc/secret');
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: { class: expect.any(String), remedy: expect.any(String) },
    });
    expect((outcome as { failure: object }).failure).not.toHaveProperty('status');
  });

  test('what never began says what was wrong with the call', async () => {
    const { texts, isError, outcome } = await resultOf(
      agentOf('one', () => 'never'),
      {},
    );
    expect(isError).toBe(true);
    expect(texts).toEqual([expect.stringContaining('text is missing')]);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'usage', code: 'request-invalid' } });
    expect(outcome).not.toHaveProperty('sessionId');
  });
});
