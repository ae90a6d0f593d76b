// A toolTimeout in the caller's file or in a flag bounds its sub-agents; a default of the configuration bounds functions alone.

import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

/** The child answers after more than a second, and at once when it is told to end. */
async function team(lead: readonly string[] = [], config: object = {}) {
  const model = await served((request) => {
    if (!request.system.startsWith('You are the child.'))
      return resultsIn(request).join('') || { calls: [call('agent__child', { text: 'go' })] };
    return request.messages.length > 1 ? 'told to end' : { text: 'done', latencyMs: 1_500 };
  });
  return folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: child.ai', ...lead]),
    'child.ai': agentFile(['models: local/m', 'description: a child'], 'You are the child.'),
    '.ai-agent.json': { ...localProvider(model.baseUrl), ...config },
  });
}

// A slow machine may have no time left for the last word.
const cut = /^Partial: the limit toolTimeoutMs stopped this|^Failed \(timeout\): /;
const defaults = { defaults: { toolTimeout: '300ms' } };

interface Case {
  readonly where: string;
  readonly lead?: readonly string[];
  readonly config?: object;
  readonly flags?: readonly string[];
  readonly expected: RegExp;
}

test.each<Case>([
  { where: 'in its own file', lead: ['toolTimeout: 300ms'], expected: cut },
  { where: 'in a flag', flags: ['--tool-timeout', '300ms'], expected: cut },
  { where: 'in an override', flags: ['--override', 'toolTimeout=300ms'], expected: cut },
  { where: 'in a flag above a default', config: defaults, flags: ['--tool-timeout', '400ms'], expected: cut },
  { where: 'as a default of the configuration alone', config: defaults, expected: /^done$/ },
  { where: 'nowhere', expected: /^done$/ },
])('toolTimeout $where', async ({ lead, config, flags = [], expected }) => {
  const cwd = await team(lead, config);
  const { code, stdout } = await run(['lead.ai', 'go', '--json', ...flags], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).text).toMatch(expected);
});
