// The promise: the command waits for plugins that are still at work for some seconds, says whom it does not wait for any
// longer, and ends with the exit code of the run.

import { pluginTime } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { PluginsAtWork } from '../src/commands/run/plugins-at-work.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const plugin = (name: string, work: string) => `export default {
  name: '${name}',
  getRequirements: () => ({ schema: {}, systemPromptInstructions: 'Say anything.' }),
  onComplete: () => { ${work} },
};`;

test('one that never ends, and one that leaves its clockwork behind', { timeout: 30_000 }, async () => {
  const model = await served([
    'At nine. <ai-agent-META plugin="never">1</ai-agent-META><ai-agent-META plugin="clockwork">2</ai-agent-META>',
  ]);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'plugins: [never.js, clockwork.js]']),
    'never.js': plugin('never', 'return new Promise(() => {});'),
    'clockwork.js': plugin('clockwork', 'setInterval(() => {}, 100);'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const startedAt = performance.now();
  expect(await run(['desk.ai', '-q', 'When?'], { cwd })).toEqual({
    code: 0,
    stdout: 'At nine.\n',
    stderr: 'The plugin never of desk is not done, and is not waited for any longer.\n',
  });
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThan(pluginTime.waitMs);
  expect(tookMs).toBeLessThan(2 * pluginTime.waitMs);
});

test('whoever is done is not waited for, and nobody waits where there is no plugin', async () => {
  const lines: string[] = [];
  const stderr = { write: (line: string) => lines.push(line) } as never;
  const none = new PluginsAtWork();
  await none.wait({ stderr }, 60_000);
  const one = new PluginsAtWork();
  const about = { agentName: 'desk', sessionId: 's', startAfter: () => {} };
  one.port({ ...about, plugin: 'good', done: Promise.resolve(undefined) });
  one.port({ ...about, plugin: 'bad', done: Promise.resolve('It \u001b[31mfailed\nbadly') });
  await one.wait({ stderr }, 60_000);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
  expect(lines[0]).not.toContain('\u001b');
});
