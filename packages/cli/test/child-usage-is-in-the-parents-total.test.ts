// T1: every token is accounted once, to the agent that spent it, and to everyone above it.

import { ask, asTool } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { throughEveryDoor } from './support/doors.ts';

throughEveryDoor('child usage is in the parent’s total', (door) => {
  const { runtime } = door;
  const delegate = (...names: string[]) => ({
    calls: names.map((name) => ({ name, input: { text: 'go', reason: 'r' } })),
  });

  async function tree() {
    const usage = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } });
    const leaf = await door.agent('leaf', () => ({ text: 'leaf done', ...usage(100, 10) }));
    const middle = await door.agent(
      'middle',
      (request) => ({ ...(request.messages.length > 1 ? { text: 'middle done' } : delegate('leaf')), ...usage(20, 2) }),
      { tools: [asTool(leaf)] },
    );
    return door.agent(
      'lead',
      (request) => ({
        ...(request.messages.length > 1 ? { text: 'done' } : delegate('middle', 'middle', 'leaf')),
        ...usage(3, 1),
      }),
      { tools: [asTool(middle), asTool(leaf)] },
    );
  }

  test('own, subtree, by path and by name add up, each call once', async () => {
    const { ledger, usage, sessionId } = await ask(await tree(), 'go', { runtime });
    // lead: 2 calls; middle: 2 sessions with 2 calls; leaf: 3 sessions with 1 call.
    expect(ledger.total).toMatchObject({
      modelCalls: 9,
      inputTokens: 3 * 2 + 20 * 4 + 100 * 3,
      outputTokens: 1 * 2 + 2 * 4 + 10 * 3,
      toolCalls: 5,
      unknownUsageCalls: 0,
    });
    expect(usage).toEqual(ledger.total);
    expect(ledger.bySession[sessionId]?.own).toMatchObject({ modelCalls: 2, inputTokens: 6 });
    expect(ledger.bySession[sessionId]?.subtree).toEqual(ledger.total);
    expect(
      Object.fromEntries(Object.entries(ledger.byPath).map(([path, totals]) => [path, totals.inputTokens])),
    ).toEqual({
      lead: 6,
      'lead:middle': 80,
      'lead:middle:leaf': 200,
      'lead:leaf': 100,
    });
    expect(ledger.byName.leaf).toMatchObject({ modelCalls: 3, inputTokens: 300, outputTokens: 30 });
  });

  test('a session’s own result says what it and everything below it used', async () => {
    const outcome = await ask(await tree(), 'go', { runtime });
    const [first] = Object.entries(outcome.ledger.bySession).filter(([, totals]) => totals.callPath === 'lead:middle');
    expect(first?.[1].own.inputTokens).toBe(40);
    expect(first?.[1].subtree.inputTokens).toBe(140);
  });

  test('usage that nobody reported is unknown, which is not zero', async () => {
    const silent = await door.agent('silent', () => ({ text: 'done', usage: {} }));
    const lead = await door.agent('lead', (request) => (request.messages.length > 1 ? 'done' : delegate('silent')), {
      tools: [asTool(silent)],
    });
    const { ledger } = await ask(lead, 'go', { runtime });
    expect(ledger.byName.silent).toMatchObject({ modelCalls: 1, inputTokens: 0, unknownUsageCalls: 1 });
    expect(ledger.total).toMatchObject({ modelCalls: 3, inputTokens: 20, unknownUsageCalls: 1 });
  });
});
