// A variable that several agents lack is one problem, with the names of those that need it.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type SubagentRegistry, toEnvLines } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

/** The env file is that of the only folder. */
function linesOf({ problems, wanted }: SubagentRegistry): readonly string[] {
  const files = toEnvLines(problems, join(wanted[0]?.folder ?? '', '.ai-agent.env'));
  expect(files.size).toBe(1);
  return [...files.values()].flat();
}

const team = {
  'lead.ai': agentFile('agents: [researcher.ai, writer.ai]\ntools: files'),
  'researcher.ai': childFile('tools: [files, weather]'),
  'writer.ai': childFile().replace('openai/gpt-5', 'openrouter/m, openai/gpt-5'),
  '.ai-agent.json': {
    mcpServers: { files: { command: 'files', env: { TOKEN: `\${FILES_TOKEN}` } } },
    restTools: { weather: { url: `https://\${WEATHER_HOST}/x`, headers: { key: `\${WEATHER_KEY}` } } },
  },
};

test('each once, with the agents, as an error when one of them cannot do without', async () => {
  const { problems, registry } = await loadFiles(team, ['lead.ai'], { env: {} });
  expect(problems.map(({ severity, code, variable, neededBy }) => [severity, code, variable, neededBy])).toEqual([
    ['error', 'secret-missing', 'FILES_TOKEN', ['researcher', 'lead']],
    ['error', 'secret-missing', 'WEATHER_HOST', ['researcher']],
    ['error', 'secret-missing', 'WEATHER_KEY', ['researcher']],
    ['error', 'secret-missing', 'OPENAI_API_KEY', ['researcher', 'writer', 'lead']],
    ['error', 'secret-missing', 'OPENROUTER_API_KEY', ['writer']],
  ]);
  expect(problems[3]?.message).toBe(
    'Missing: OPENAI_API_KEY; define in shell or .ai-agent.env (needed by researcher, writer, lead)',
  );
  expect(linesOf(registry)).toEqual([
    'FILES_TOKEN=   # needed by researcher, lead',
    'WEATHER_HOST=   # needed by researcher',
    'WEATHER_KEY=   # needed by researcher',
    'OPENAI_API_KEY=   # needed by researcher, writer, lead',
    'OPENROUTER_API_KEY=   # needed by writer',
  ]);
});

test('once if a well-known provider and an entry of the current folder need it', async () => {
  const weather = { url: 'https://weather/x', headers: { key: `\${OPENAI_API_KEY}` } };
  const files = { 'desk.ai': agentFile('tools: weather'), '.ai-agent.json': { restTools: { weather } } };
  const { problems, registry } = await loadFiles(files, ['desk.ai'], { env: {} });
  expect(problems).toMatchObject([{ severity: 'error', variable: 'OPENAI_API_KEY', neededBy: ['desk'] }]);
  expect(linesOf(registry)).toEqual(['OPENAI_API_KEY=   # needed by desk']);
});

test('a fallback that lacks its key stays a warning, with the model that needs it', async () => {
  const { problems } = await loadFiles(team, ['writer.ai'], { env: { OPENAI_API_KEY: 'k-openai' } });
  expect(problems).toMatchObject([
    {
      severity: 'warning',
      variable: 'OPENROUTER_API_KEY',
      neededBy: ['writer'],
      message: 'Missing: OPENROUTER_API_KEY; define in shell or .ai-agent.env (openrouter/m needs it)',
    },
  ]);
});

test('the lines may be pasted as they are: nothing is defined by them yet', async () => {
  const { registry } = await loadFiles(team, ['lead.ai'], { env: {} });
  const lines = linesOf(registry);
  const pasted = await loadFiles({ ...team, '.ai-agent.env': lines.join('\n') }, ['lead.ai'], { env: {} });
  expect(linesOf(pasted.registry)).toEqual(lines);
  const filled = lines.map((line) => line.replace('=', '=some-value'));
  const after = await loadFiles({ ...team, '.ai-agent.env': filled.join('\n') }, ['lead.ai'], { env: {} });
  expect(after.problems).toEqual([]);
});
