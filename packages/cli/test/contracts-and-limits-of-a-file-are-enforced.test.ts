// T13: what a file says of its input, its output, its tokens and its money holds, whatever a model or a caller does.

import { describe, expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

type Script = Parameters<typeof served>[0];

const deskWith = async (script: Script, frontmatter: readonly string[], config: object = {}) => {
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', ...frontmatter]),
    'child.ai': agentFile(['models: local/m', 'description: a child'], 'You are the child.'),
    '.ai-agent.json': { ...localProvider(model.baseUrl), ...config },
  });
  const ask = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(['desk.ai', '--json', ...args], { cwd });
    return { code, stderr, outcome: JSON.parse(stdout) };
  };
  return { model, ask };
};

describe('input', () => {
  const input = [
    'input: {format: json, schema: {type: object, required: [city], properties: {city: {type: string}, days: {type: integer}}}}',
  ];

  test.each([
    ['no JSON', 'Athens'],
    ['a required key is missing', '{"days": 3}'],
    ['a value of another type', '{"city": "Athens", "days": "three"}'],
  ])('%s is refused at the edge, and no model is asked', async (_, prompt) => {
    const { model, ask } = await deskWith(['fine'], input);
    const { code, outcome, stderr } = await ask(prompt);
    expect(code).toBe(4);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'usage' } });
    expect(stderr).toContain('failed (usage): ');
    expect(model.requests).toHaveLength(0);
  });

  test('what fits reaches the model as it is', async () => {
    const { model, ask } = await deskWith(['fine'], input);
    expect((await ask('{"city": "Αθήνα", "days": 3}')).outcome).toMatchObject({ status: 'completed', report: 'fine' });
    expect(JSON.parse(promptIn(model.requests[0] as never))).toEqual({ city: 'Αθήνα', days: 3 });
  });
});

describe('output', () => {
  const output = [
    'output: {format: json, schema: {type: object, required: [total], properties: {total: {type: integer}}, additionalProperties: false}}',
  ];

  test('what breaks the schema goes back to the model with the reasons; the repaired report is the answer', async () => {
    const { model, ask } = await deskWith(['{"total": "four"}', '{"totl": 4}', '{"total": 4}'], output);
    const { code, outcome } = await ask('hello');
    expect(code).toBe(0);
    expect(outcome).toMatchObject({ status: 'completed', report: { total: 4 }, format: 'json' });
    const said = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(said[1]).toMatch(/total.*must be integer/);
    expect(said[2]).toMatch(/totl/);
    expect(model.requests[0]?.output.format).toBe('json');
    expect(JSON.stringify(model.requests[0])).toContain('additionalProperties');
  });

  test('a report that never fits is no report, however the run ends', async () => {
    const { ask } = await deskWith(() => '{"total": "four"}', [...output, 'maxTurns: 2']);
    const { code, outcome } = await ask('hello');
    expect([2, 5]).toContain(code);
    expect(outcome).not.toHaveProperty('report');
    expect(outcome.text).toContain('four');
  });
});

describe('limits', () => {
  const again: Script = (request) => {
    if (request.system.startsWith('You are the child.'))
      return { text: 'done', usage: { inputTokens: 300, outputTokens: 100 } };
    const usage = { inputTokens: 300, outputTokens: 100 };
    if (request.tools.length === 0) return { text: 'what I have', usage };
    return { calls: [{ name: 'agent__child', input: { text: 'go', reason: 'r' } }], usage };
  };

  test('of tokens: one budget for the file and everything below it, with an answer at the end', async () => {
    const limits = ['agents: child.ai', 'maxTurns: 50', 'maxOutputTokens: 200', 'budget: {tokens: 6000}'];
    const { ask } = await deskWith(again, limits);
    const { code, outcome } = await ask('hello');
    expect(code).toBe(5);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'tokens', report: 'what I have' });
    const { inputTokens, outputTokens, modelCalls } = outcome.ledger.total;
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(6000);
    expect(modelCalls).toBeGreaterThan(4);
  });

  const pricing = { pricing: { local: { m: { unit: 'per_1k', prompt: 1, completion: 1 } } } };

  test('of money, with the prices of the configuration', async () => {
    const limits = ['agents: child.ai', 'maxTurns: 50', 'maxOutputTokens: 200', 'budget: {costUsd: 6}'];
    const { ask } = await deskWith(again, limits, pricing);
    const { code, outcome } = await ask('hello');
    expect(code).toBe(5);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'costUsd', report: 'what I have' });
    expect(outcome.ledger.total.costUsd).toBeLessThanOrEqual(6);
    expect(outcome.ledger.total.costUsd).toBeCloseTo(0.4 * outcome.ledger.total.modelCalls);
  });

  test('of money, when nobody knows the price: refused before anything costs', async () => {
    const { model, ask } = await deskWith(again, ['budget: {costUsd: 6}']);
    const { code, outcome } = await ask('hello');
    expect(code).toBe(1);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'price-unknown' } });
    expect(model.requests).toHaveLength(0);
  });

  test('a flag narrows what the file says, and holds as well', async () => {
    const { ask } = await deskWith(again, ['agents: child.ai']);
    const { code, outcome } = await ask('--budget-turns', '3', 'hello');
    expect(code).toBe(5);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'turns' });
    expect(outcome.ledger.total.modelCalls).toBeLessThanOrEqual(3);
  });

  test('a child keeps its own limits inside the budget of its parent', async () => {
    const model = await served(again);
    const cwd = await folderWith({
      'desk.ai': agentFile(['models: local/m', 'agents: child.ai', 'maxTurns: 2']),
      'child.ai': agentFile(['models: local/m', 'description: c', 'budget: {tokens: 10}'], 'You are the child.'),
      '.ai-agent.json': localProvider(model.baseUrl),
    });
    const { stdout } = await run(['desk.ai', '--json', 'hello'], { cwd });
    const { ledger, tree } = JSON.parse(stdout);
    expect(ledger.byPath['desk:child']?.modelCalls ?? 0).toBe(0);
    const [tool] = tree.turns[0].operations.filter(({ type }: { type: string }) => type === 'tool');
    expect(tool).toMatchObject({ status: 'failed', failure: { class: 'budget' } });
  });
});
