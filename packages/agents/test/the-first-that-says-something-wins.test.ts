// The promise: --override before flags before the file before defaults of the configuration before what is built in; flags are for the top alone.

import { expect, test } from 'vitest';
import { type LoadedAgent, options, Problems, readDefaultFlags, readFlags, readOverrides } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const flagged = (...given: readonly (readonly [string, string])[]) => {
  const problems = new Problems();
  const flags = readFlags(given, problems);
  expect(problems.all).toEqual([]);
  return flags;
};

const overridden = (...given: readonly string[]) => {
  const problems = new Problems();
  const overrides = readOverrides(given, problems);
  expect(problems.all).toEqual([]);
  return overrides;
};

function held(loaded: LoadedAgent | undefined, key: string): unknown {
  const option = options.find((one) => one.key === key);
  return option && loaded?.effective.value(option);
}

const config = {
  '.ai-agent.json': { defaults: { maxTurns: 2, temperature: 0.9, budget: { tokens: 7 }, limits: { maxRetries: 9 } } },
};

test('each gives way to the one above it', async () => {
  const said = { ...config, 'desk.ai': agentFile('maxTurns: 3') };
  const bare = { ...config, 'desk.ai': agentFile() };
  const flags = flagged(['--max-turns', '4']);
  const overrides = overridden('maxTurns=5');
  const turns = async (files: Record<string, unknown>, given = {}) => {
    const { agents, problems } = await loadFiles(files, ['desk.ai'], given);
    expect(problems).toEqual([]);
    expect(agents[0]?.agent.limits?.maxTurns).toBe(
      held(agents[0], 'maxTurns') === 10 ? undefined : held(agents[0], 'maxTurns'),
    );
    return held(agents[0], 'maxTurns');
  };
  expect(await turns({ 'desk.ai': agentFile() })).toBe(10);
  expect(await turns(bare)).toBe(2);
  expect(await turns(said)).toBe(3);
  expect(await turns(said, { flags })).toBe(4);
  expect(await turns(said, { flags, overrides })).toBe(5);
});

test('what the configuration says of options inside objects counts too', async () => {
  const { agents } = await loadFiles({ ...config, 'desk.ai': agentFile('budget: { turns: 5 }') }, ['desk.ai']);
  expect(agents[0]?.agent.budget).toEqual({ tokens: 7, turns: 5 });
  expect(agents[0]?.agent.limits).toEqual({ maxTurns: 2, maxRetries: 9 });
});

test('null in a file leaves it to the configuration; an unset word does not', async () => {
  const left = await loadFiles({ ...config, 'desk.ai': agentFile('temperature: null') }, ['desk.ai']);
  expect(left.agents[0]?.agent.settings).toEqual({ temperature: 0.9 });
  const unset = await loadFiles({ ...config, 'desk.ai': agentFile('temperature: none') }, ['desk.ai']);
  expect(unset.agents[0]?.agent.settings).toEqual({ temperature: null });
});

test('flags are for the top, overrides for all, and no child inherits what its parent says', async () => {
  const files = { 'lead.ai': agentFile('agents: desk.ai\ntemperature: 1\nask: person'), 'desk.ai': childFile() };
  const { agents } = await loadFiles(files, ['lead.ai'], {
    flags: flagged(['--max-turns', '4'], ['--top-p', '0.5']),
    overrides: overridden('maxRetries=1', 'models=ollama/llama'),
  });
  const [lead] = agents;
  const [desk] = lead?.children ?? [];
  expect(lead?.agent).toMatchObject({
    limits: { maxTurns: 4, maxRetries: 1 },
    settings: { temperature: 1, topP: 0.5 },
  });
  expect(desk?.agent.limits).toEqual({ maxRetries: 1 });
  expect([desk?.agent.settings, desk?.agent.ask]).toEqual([undefined, undefined]);
  for (const one of [lead, desk]) expect(one?.agent.model).toMatchObject([{ provider: 'ollama', model: 'llama' }]);
});

test('one that is named at the top has the flags, whoever else has it as a child, in whichever order they are named', async () => {
  const files = {
    'lead.ai': agentFile('agents: desk.ai'),
    'desk.ai': childFile('agents: deep.ai'),
    'deep.ai': childFile(),
  };
  for (const entries of [
    ['lead.ai', 'desk.ai'],
    ['desk.ai', 'lead.ai'],
  ]) {
    const { registry } = await loadFiles(files, entries, { flags: flagged(['--max-turns', '4']) });
    const turns = [registry.get('lead'), registry.get('desk'), registry.get('desk')?.children[0]];
    expect(turns.map((one) => held(one, 'maxTurns'))).toEqual([4, 4, 10]);
  }
});

test('a flag for those that say nothing stands below the file and above the configuration, for sub-agents too', async () => {
  const files = {
    '.ai-agent.json': { defaults: { reasoning: 'minimal' } },
    'lead.ai': agentFile('agents: [desk.ai, sure.ai]'),
    'desk.ai': childFile(),
    'sure.ai': childFile('reasoning: low'),
  };
  const levels = async (given = {}) => {
    const { agents } = await loadFiles(files, ['lead.ai'], given);
    return [agents[0], ...(agents[0]?.children ?? [])].map((one) => held(one, 'reasoning'));
  };
  const defaults = readDefaultFlags([['--default-reasoning', 'high']], new Problems());
  expect(await levels()).toEqual(['minimal', 'minimal', 'low']);
  expect(await levels({ defaults })).toEqual(['high', 'high', 'low']);
  expect(await levels({ defaults, flags: flagged(['--reasoning', 'none']) })).toEqual(['none', 'high', 'low']);
});

test('a switch is said by its flag alone, or by the one that says no', async () => {
  expect(flagged(['--stream', '']).get('stream')?.value).toBe(true);
  expect(flagged(['--stream', ''], ['--no-stream', '']).get('stream')?.value).toBe(false);
});

test('a wrong default is an error; one that nobody knows is a warning, however deep it stands', async () => {
  const defaults =
    '{\n  "defaults": {\n    "maxTurns": "many",\n    "maxTurnz": 5,\n    "budget": { "token": 5 },\n    "maxToolTurns": 4,\n    "description": "x",\n    "outputFormat": "markdown",\n    "verbose": true\n  }\n}';
  const { problems } = await loadFiles({ '.ai-agent.json': defaults, 'desk.ai': agentFile() }, ['desk.ai']);
  expect(
    problems.map(({ severity, code, line, key, message }) => [severity, code, line, key, message.split(';')[0]]),
  ).toEqual([
    ['error', 'config-invalid', 3, 'defaults.maxTurns', 'found "many"'],
    ['warning', 'key-unknown', 4, 'defaults.maxTurnz', 'is not known'],
    ['warning', 'key-unknown', 5, 'defaults.budget.token', 'is not known'],
    [
      'warning',
      'key-unknown',
      6,
      'defaults.maxToolTurns',
      'is written limits.maxToolTurns, or as maxTurns, which is one more',
    ],
    ['warning', 'key-unknown', 7, 'defaults.description', 'is not known'],
    ['warning', 'key-unknown', 8, 'defaults.outputFormat', 'is not known'],
    ['warning', 'key-unknown', 9, 'defaults.verbose', 'is not known'],
  ]);
});

test('a default of a higher layer wins however it is written, and two in one file must agree', async () => {
  const files = {
    '.ai-agent.json': { defaults: { maxTurns: 5, budget: { tokens: 9 } } },
    'in/.ai-agent.json': { defaults: { limits: { maxTurns: 9 }, budget: { costUsd: 1 } } },
    'in/desk.ai': agentFile(),
  };
  const { agents } = await loadFiles(files, ['in/desk.ai']);
  expect(agents[0]?.agent.limits).toEqual({ maxTurns: 9 });
  expect(agents[0]?.agent.budget).toEqual({ tokens: 9, costUsd: 1 });
  const both = { '.ai-agent.json': { defaults: { maxTurns: 5, limits: { maxTurns: 9 } } }, 'desk.ai': agentFile() };
  expect((await loadFiles(both, ['desk.ai'])).problems).toMatchObject([{ code: 'key-conflict', severity: 'error' }]);
});
