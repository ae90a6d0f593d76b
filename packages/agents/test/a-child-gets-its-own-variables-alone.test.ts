// The promise: a sub-agent of files runs on its own models with the variables those name, and sees none of its caller's.

import { ask, type EnvOverlay, type SessionTool } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import type { ModelSetUp, Providers } from '../src/index.ts';
import { agentFile, loadFiles, providers } from './support/world.ts';

const files = {
  'lead.ai': agentFile('description: Leads.\nagents: team/desk.ai'),
  'team/desk.ai': '---\ndescription: Helps.\nmodels: house/small\n---\nYou help.\n',
  'team/.ai-agent.json': { providers: { house: { type: 'openai', apiKey: `\${HOUSE_KEY}` } } },
  'team/.ai-agent.env': 'HOUSE_KEY=of-the-team\nUNUSED=x',
};

type Opened = ModelSetUp & { readonly env: EnvOverlay };

/** Providers that remember what they opened, and with which variables. */
function watched() {
  const opened: Opened[] = [];
  const open: Providers['open'] = async (setUp, { env }) => {
    opened.push({ ...setUp, env });
    return scriptedModel(['answered']);
  };
  return { opened, providers: { ...providers, open } };
}

async function call(tools: readonly SessionTool[], name: string): Promise<void> {
  const model = scriptedModel([{ calls: [{ name, input: { text: 'go', reason: 'r' } }] }, 'done']);
  const envOverlay = { ROOT_KEY: 'of-the-root' };
  const outcome = await ask({ name: 'root', instructions: '', model, tools }, 'go', { ports: fakePorts(), envOverlay });
  expect(outcome.status).toBe('completed');
}

const desk = {
  provider: 'house',
  model: 'small',
  config: { type: 'openai', apiKey: `\${HOUSE_KEY}` },
  env: { HOUSE_KEY: 'of-the-team' },
};

test('as a tool of the agent that names it', async () => {
  const { opened, providers } = watched();
  const { agents, problems } = await loadFiles(files, ['lead.ai'], { providers });
  expect(problems).toEqual([]);
  expect(agents[0]?.session.envOverlay).toEqual({ OPENAI_API_KEY: 'k-openai' });
  await call(agents[0]?.agent.tools as SessionTool[], 'agent__desk');
  expect(opened).toEqual([desk]);
});

test('as a tool of the registry', async () => {
  const { opened, providers } = watched();
  const { registry } = await loadFiles(files, ['lead.ai', 'team/desk.ai'], { providers });
  await call(registry.tools(), 'agent__desk');
  await call(registry.tools(), 'agent__lead');
  expect(opened).toMatchObject([desk, { provider: 'openai', model: 'gpt-5', env: { OPENAI_API_KEY: 'k-openai' } }]);
  expect(opened.every(({ env }) => !('ROOT_KEY' in env))).toBe(true);
});
