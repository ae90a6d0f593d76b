// The promise: one load tells everything that is wrong, in every file, sub-agents and configuration included.

import { isAgentError } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { toLine } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const files = {
  'lead.ai': agentFile('maxTurns: no\nagents: team/one.ai, team/gone.ai, team/two.ai\ncolour: red'),
  'team/one.ai': '---\ndescription: One.\nmodels: opnai/gpt-5\ntopK: 0\n---\nYou are {{nobody}}.\n',
  'team/two.ai': agentFile('agents: [deep/three.ai]\ndescription: Two.'),
  'team/deep/three.ai': childFile('hold: tight'),
  'other.ai': '---\n: :\n',
  'chat.ai': agentFile(),
  '.ai-agent.json': '{\n  "queues": { "default": { "concurrent": 0 } },\n  "defaults": { "maxRetries": "often" }\n}',
};

test('every file, every line', async () => {
  const { problems, agents, registry } = await loadFiles(files, ['lead.ai', 'other.ai', 'chat.ai', 'gone.ai']);
  expect(problems.map((one) => toLine(one)).sort()).toEqual([
    '.ai-agent.json:2: error: queues.default.concurrent: found 0; must be a whole number from 1',
    '.ai-agent.json:3: error: defaults.maxRetries: found "often"; must be a whole number from 1',
    'chat.ai: error: the name chat is reserved, and so are models, messages, responses, completions, sessions, task_status, final_report, batch, tool_output',
    'gone.ai: error: there is no agent at gone.ai',
    'lead.ai:3: error: maxTurns: found "no"; must be a whole number from 1',
    'lead.ai:4: error: agents: there is no agent at team/gone.ai; did you mean team/one.ai?',
    'lead.ai:5: error: colour: is not known; known are description, usage, toolName, input, output, agents, tools, ask, hold, hints, permissions, workspace, progress, advisors, router, handoff, models, temperature, topP, topK, repeatPenalty, maxOutputTokens, reasoning, reasoningTokens, caching, maxTurns, maxToolCallsPerTurn, maxParallel, maxDepth, maxRetries, llmTimeout, toolTimeout, toolResponseMaxBytes, budget, compaction, toolOutput, cache, strict, plugins, limits',
    'other.ai:1: error: is opened with --- and never closed; close it with another ---',
    'team/deep/three.ai:4: error: hold: found "tight"; must be fresh, kept, or { pool: a whole number from 1 }',
    'team/one.ai:3: error: models: opnai/gpt-5: there is no provider opnai; did you mean openai?',
    'team/one.ai:4: error: topK: found 0; must be a whole number from 1, or one of none, off, unset, default, null to send none',
    expect.stringMatching(/^team\/one\.ai:6: error: .*nobody/),
  ]);
  expect(agents).toEqual([]);
  expect(registry.hasErrors).toBe(true);
});

test('a wrong default of the configuration is told once, however many agents it holds for', async () => {
  const { problems } = await loadFiles(
    {
      'a.ai': agentFile('agents: [b.ai, c/d.ai]'),
      'b.ai': childFile(),
      'c/d.ai': childFile(),
      '.ai-agent.json': { defaults: { maxTurns: 0 } },
    },
    ['a.ai'],
  );
  expect(problems.map(({ key }) => key)).toEqual(['defaults.maxTurns']);
});

test('who asks for an agent all the same gets the words of all errors in one, and no warnings', async () => {
  const wrong = { 'a.ai': agentFile('maxTurns: 0', ''), 'b.ai': agentFile('topK: 0') };
  const { registry } = await loadFiles(wrong, ['a.ai', 'b.ai']);
  expect(registry.problems.map(({ severity }) => severity)).toContain('warning');
  for (const ask of [() => registry.get('a'), () => registry.tools()]) {
    const error = thrownBy(ask);
    expect(isAgentError(error) && error.code).toBe('key-invalid');
    expect(String(error)).toMatch(/a\.ai:3: error: maxTurns: [^\n]*\n.*b\.ai:3: error: topK: /s);
    expect(String(error)).not.toContain('warning');
  }
});

test('a problem has a remedy, and its file as the command would name it', async () => {
  const { registry, folder } = await loadFiles({ 'x/a.ai': agentFile('maxTurns: 0') }, ['x/a.ai']);
  expect(registry.problems.every(({ remedy }) => remedy.trim() !== '')).toBe(true);
  expect(registry.problems.map((one) => toLine(one, folder).split(' ')[0])).toEqual(['x/a.ai:3:']);
  expect(registry.problems.map((one) => toLine(one, `${folder}/y`).split(' ')[0])).toEqual([`${folder}/x/a.ai:3:`]);
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
