// T12: what a root may use is used by everybody below it together; a child can only narrow it, and the root has the last word.

import { type Agent, ask, asTool, type Budget, defineTool, type ModelRequest, type Outcome } from '@ai-agent/cli';
import type { Script, ScriptedModel, Step } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { type Door, throughEveryDoor } from './support/doors.ts';

const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'something '.repeat(40) });
const callTo = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });
const prices = () => ({ input: 1, output: 10 });

/** As a provider counts: what it was sent, and no more output than it was allowed. */
function counted(request: ModelRequest, step: Step, outputTokens: number): Step {
  const text = [request.system, ...request.messages.map(textOf), JSON.stringify(request.tools)].join('');
  const cap = request.settings.maxOutputTokens ?? outputTokens;
  const usage = { inputTokens: Math.ceil(text.length / 5), outputTokens: Math.min(cap, outputTokens) };
  return { ...step, usage };
}

function textOf(message: ModelRequest['messages'][number]): string {
  if (message.role === 'system') return message.text;
  return message.content.map((part) => ('text' in part ? part.text : 'input' in part ? part.input : '')).join('');
}

/** Makes these calls for as long as it may, and then has its say. */
const tireless =
  (name: string, outputTokens: number, ...calls: readonly string[]): Script =>
  (request) =>
    request.tools.length > 0
      ? counted(request, { text: `${name} at work.`, calls: calls.map(callTo) }, outputTokens)
      : counted(request, { text: `${name} has its say.` }, outputTokens);

/** A root, children of the given number, and each of them with one of its own that never has enough. */
async function treeOf(door: Door, width: number, outputTokens: number, child: Partial<Agent> = {}): Promise<Agent> {
  const leaf = await door.agent('leaf', tireless('leaf', outputTokens, 'look', 'look'), { tools: [look] });
  const middle = await door.agent('middle', tireless('middle', outputTokens, 'leaf'), {
    tools: [asTool(leaf)],
    ...child,
  });
  const calls = Array.from({ length: width }, () => 'middle');
  return door.agent('root', tireless('root', outputTokens, ...calls), { tools: [asTool(middle)] });
}

const tokensOf = ({ usage }: Outcome) => usage.inputTokens + usage.outputTokens;

throughEveryDoor('one budget covers the whole tree', (door) => {
  const run = (agent: Agent, budget: Budget) =>
    ask({ ...agent, budget }, 'go', { runtime: door.runtime, ports: { prices } });

  const spent: Readonly<Partial<Record<keyof Budget, (outcome: Outcome) => number>>> = {
    tokens: tokensOf,
    costUsd: ({ usage }) => usage.costUsd,
    turns: ({ ledger }) => ledger.entries.filter(({ type, status }) => type === 'model' && status === 'ok').length,
    toolCalls: ({ ledger }) =>
      ledger.entries.filter(({ type, status }) => type === 'tool' && status !== 'refused').length,
    descendants: ({ conversations }) => Object.keys(conversations).length - 1,
  };

  for (const width of [1, 3])
    for (const budget of [{ tokens: 9_000 }, { costUsd: 0.02 }, { turns: 12 }, { toolCalls: 9 }])
      test(`${JSON.stringify(budget)} is kept by ${width} children and theirs, and the root has the last word`, async () => {
        const [[limit, amount] = []] = Object.entries(budget) as [keyof Budget, number][];
        const outcome = await run(await treeOf(door, width, 60), budget);
        expect(outcome).toMatchObject({ status: 'partial', limit, text: 'root has its say.' });
        const used = spent[limit as keyof Budget]?.(outcome) ?? 0;
        expect(used).toBeLessThanOrEqual(amount ?? 0);
        expect(used).toBeGreaterThan((amount ?? 0) / 3);
        expect(outcome.ledger.byName.leaf?.modelCalls).toBeGreaterThan(0);
      });

  test('all kinds of trees, and however tight: never more than allowed, and never without a last word', async () => {
    for (let tokens = 1_200; tokens < 40_000; tokens = Math.ceil(tokens * 1.7))
      for (const width of [1, 4])
        for (const outputTokens of [20, 400]) {
          const outcome = await run(await treeOf(door, width, outputTokens), { tokens });
          expect(outcome, `${tokens} ${width}`).toMatchObject({ status: 'partial', text: 'root has its say.' });
          expect(tokensOf(outcome)).toBeLessThanOrEqual(tokens);
        }
  });

  test('long results leave the root its last word: they are cut for it', async () => {
    const long = defineTool({ name: 'long', inputSchema: { type: 'object' }, execute: () => 'word '.repeat(2_000) });
    const agent = await door.agent('root', tireless('root', 50, 'long'), { tools: [long] });
    const outcome = await run(agent, { tokens: 3_000 });
    expect(outcome).toMatchObject({ status: 'partial', limit: 'tokens', text: 'root has its say.' });
    expect(tokensOf(outcome)).toBeLessThanOrEqual(3_000);
    expect(JSON.stringify((agent.model as ScriptedModel).requests.at(-1))).toContain('[Cut here');
  });

  test('a child can narrow it and not widen it', async () => {
    const wide = await run(await treeOf(door, 1, 60, { budget: { turns: 100, tokens: 1e9 } }), { turns: 6 });
    expect(spent.turns?.(wide)).toBe(6);
    const outcome = await run(await treeOf(door, 1, 60, { budget: { turns: 4 } }), { turns: 20 });
    const ends = Object.values(outcome.ledger.bySession).filter(({ callPath }) => callPath === 'root:middle');
    expect(ends.length).toBeGreaterThan(1);
    for (const { subtree } of ends) expect(subtree.modelCalls - subtree.failedCalls).toBeLessThanOrEqual(4);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'turns', text: 'root has its say.' });
  });

  test('what the caller of a session allows narrows what the agent has', async () => {
    const agent = { ...(await treeOf(door, 1, 60)), budget: { turns: 6 } };
    const tighter = await ask(agent, 'go', { runtime: door.runtime, budget: { turns: 3 } });
    expect([tighter.status, spent.turns?.(tighter)]).toEqual(['partial', 3]);
    const looser = await ask(agent, 'go', { runtime: door.runtime, budget: { turns: 50, descendants: 1 } });
    expect([looser.status, spent.turns?.(looser), spent.descendants?.(looser)]).toEqual(['partial', 6, 1]);
  });

  test('what the provider does not count is charged by estimate', async () => {
    const silent = { text: 'at work', usage: {} };
    const agent = await door.agent(
      'root',
      (request) =>
        request.tools.length > 0 ? { ...silent, calls: [{ name: 'look' }] } : { ...silent, text: 'enough' },
      { tools: [look], limits: { maxTurns: 1_000 } },
    );
    const outcome = await run(agent, { tokens: 6_000 });
    expect(outcome).toMatchObject({ status: 'partial', limit: 'tokens', text: 'enough' });
    const { modelCalls, failedCalls, unknownUsageCalls } = outcome.usage;
    expect(unknownUsageCalls).toBe(modelCalls - failedCalls);
    expect(unknownUsageCalls).toBeLessThan(8);
  });
});

throughEveryDoor('shares of one budget are reserved', (door) => {
  /** Two children at once, and how many of their calls were in flight together. */
  async function pair(tokens: number, maxOutputTokens: number) {
    let [inFlight, most] = [0, 0];
    const caps: (number | undefined)[] = [];
    const settings = { maxOutputTokens };
    const child = await door.agent(
      'child',
      (request) => {
        most = Math.max(most, ++inFlight);
        caps.push(request.settings.maxOutputTokens);
        const until = new Promise((resolve) => setTimeout(resolve, 15)).then(() => inFlight--);
        return { text: 'done', until };
      },
      { settings },
    );
    const root = await door.agent(
      'root',
      (request) => (request.messages.length > 1 ? 'both done' : { calls: [callTo('child'), callTo('child')] }),
      { tools: [asTool(child)], settings, budget: { tokens } },
    );
    const outcome = await ask(root, 'go', { runtime: door.runtime });
    return { outcome, most, caps };
  }

  test('two that fit run side by side', async () => {
    const { outcome, most, caps } = await pair(20_000, 2_000);
    expect([outcome.status, most, caps]).toEqual(['completed', 2, [2_000, 2_000]]);
  });

  test('one that will fit once the other has settled waits for it', async () => {
    const { outcome, most, caps } = await pair(10_000, 2_500);
    expect([outcome.status, most, caps]).toEqual(['completed', 1, [2_500, 2_500]]);
  });

  test('one that will never fit gets less to say', async () => {
    const { outcome, most, caps } = await pair(6_000, 16_384);
    expect([outcome.status, most, caps.length]).toEqual(['completed', 2, 2]);
    for (const cap of caps) expect(cap).toBeLessThan(6_000);
  });
});
