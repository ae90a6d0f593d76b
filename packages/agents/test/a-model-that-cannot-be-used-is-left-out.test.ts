// The promise: while one model of the list can be used, the others are warned of and left out; when none can, that is an error.

import { ask, type ModelRef } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { type LoadedAgent, toLine } from '../src/index.ts';
import { childFile, loadFiles } from './support/world.ts';

const file = (models: string) => `---\nmodels: ${models}\n---\nYou are helpful.\n`;

async function load(models: string, env: Readonly<Record<string, string>> = {}, config: unknown = {}) {
  return loadFiles({ 'desk.ai': file(models), '.ai-agent.json': config }, ['desk.ai'], { env });
}

function modelsOf(loaded: LoadedAgent | undefined): readonly string[] {
  const refs = (loaded?.agent.model ?? []) as readonly ModelRef[];
  return refs.map((ref) => (typeof ref === 'string' ? ref : `${ref.provider} + ${ref.model}`));
}

test('a key that is missing is named, and how to give it, at the start of the message', async () => {
  const { problems, agents } = await load('openai/gpt-5');
  const message = 'Missing: OPENAI_API_KEY; define in shell or .ai-agent.env (openai/gpt-5 needs it)';
  expect(problems).toMatchObject([{ code: 'secret-missing', severity: 'error', line: 2, key: 'models', message }]);
  expect(problems.map((one) => toLine(one))).toEqual([`desk.ai:2: error: models: ${message}`]);
  expect(agents).toEqual([]);
});

test('the same is a warning while another model can be used, which is then all there is', async () => {
  const { problems, agents } = await load('openai/gpt-5, ollama/llama, openrouter/z-ai/glm');
  expect(problems.map(({ severity, code, message }) => [severity, code, message.split(';')[0]])).toEqual([
    ['warning', 'secret-missing', 'Missing: OPENAI_API_KEY'],
    ['warning', 'secret-missing', 'Missing: OPENROUTER_API_KEY'],
  ]);
  expect(modelsOf(agents[0])).toEqual(['ollama + llama']);
});

test.each(['gpt-5', '/gpt-5', 'openai/'])('%s is no model, whatever else there is', async (ref) => {
  const message = `found "${ref}"; must be provider/model`;
  for (const models of [ref, `${ref}, offline/demo`]) {
    const { problems, agents } = await load(models);
    expect(problems).toMatchObject([{ severity: 'error', code: 'key-invalid', line: 2, key: 'models', message }]);
    expect(agents).toEqual([]);
  }
});

test('all that can be used stay, in their order', async () => {
  const { problems, agents } = await load('openrouter/a, offline/demo, openai/b', {
    OPENAI_API_KEY: 'k',
    OPENROUTER_API_KEY: 'r',
  });
  expect(problems).toEqual([]);
  expect(modelsOf(agents[0])).toEqual(['openrouter + a', 'offline/demo', 'openai + b']);
});

const config = { providers: { house: { type: 'openai', apiKey: `\${HOUSE_KEY}`, baseUrl: `\${HOUSE_URL}` } } };

test('each variable that a provider lacks', async () => {
  const messages = ['HOUSE_KEY', 'HOUSE_URL'].map(
    (name) => `Missing: ${name}; define in shell or .ai-agent.env (house/x needs it)`,
  );
  const code = 'secret-missing';
  const alone = await load('house/x', {}, config);
  expect(alone.problems).toMatchObject(
    messages.map((message) => ({ severity: 'error', code, line: 2, key: 'models', message })),
  );
  expect(alone.agents).toEqual([]);
  const beside = await load('house/x, offline/demo', {}, config);
  expect(beside.problems).toMatchObject(messages.map((message) => ({ severity: 'warning', code, message })));
});

test.each([
  ['opnai/gpt-5', 'model-unknown', 'opnai/gpt-5: there is no provider opnai; did you mean openai?'],
  [
    'somebody/x',
    'model-unknown',
    'somebody/x: there is no provider somebody; known are house, openai, openrouter, ollama, offline',
  ],
  ['hose/x', 'model-unknown', 'hose/x: there is no provider hose; did you mean house?'],
  ['offline/other', 'model-unknown', 'offline/other: provider offline has only the model demo'],
  ['constructor/x', 'model-unknown', expect.stringMatching(/^constructor\/x: there is no provider constructor; /)],
])('%s', async (ref, code, message) => {
  const alone = await load(ref, {}, config);
  expect(alone.problems).toMatchObject([{ severity: 'error', code, line: 2, key: 'models', message }]);
  expect(alone.agents).toEqual([]);
  const beside = await load(`${ref}, offline/demo`, {}, config);
  expect(beside.problems).toMatchObject([{ severity: 'warning', code, message }]);
  expect(modelsOf(beside.agents[0])).toEqual(['offline/demo']);
});

test('several of which none can be used are all errors', async () => {
  const { problems, agents } = await load('openai/gpt-5, opnai/x');
  expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    'error secret-missing',
    'error model-unknown',
  ]);
  expect(agents).toEqual([]);
});

test.each(['[]', '""', '","'])('a list of none is no choice: %s', async (models) => {
  const { problems, agents } = await load(models);
  const message = 'found no name; must be at least one provider/model';
  expect(problems).toMatchObject([{ severity: 'error', code: 'key-invalid', line: 2, key: 'models', message }]);
  expect(agents).toEqual([]);
});

test('a set-up that is wrong is an error where it stands, even beside a model that can be used', async () => {
  const config = '{\n  "providers": {\n    "house": {\n      "type": "broken",\n      "colour": "red"\n    }\n  }\n}';
  for (const models of ['house/x', 'house/x, offline/demo']) {
    const { problems } = await load(models, {}, config);
    expect(problems.map((one) => toLine(one))).toEqual([
      '.ai-agent.json:4: error: providers.house.type: found "broken"',
      '.ai-agent.json:5: warning: providers.house.colour: is not known',
    ]);
    expect(problems[0]?.code).toBe('config-invalid');
  }
});

test('a set-up that is wrong is no model that can be used', async () => {
  const { problems, agents } = await load('house/x, openai/gpt-5', {}, { providers: { house: { type: 'broken' } } });
  expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    'error config-invalid',
    'warning key-unknown',
    'error secret-missing',
  ]);
  expect(agents).toEqual([]);
});

test('a set-up of the configuration comes before the usual one of its name', async () => {
  const config = { providers: { openai: { type: 'openai', apiKey: `\${MY_KEY}` } } };
  const { agents } = await load('openai/gpt-5', { MY_KEY: 'mine', OPENAI_API_KEY: 'usual' }, config);
  expect(agents[0]?.session.envOverlay).toEqual({ MY_KEY: 'mine' });
});

test('a set-up that is warned of can be used', async () => {
  const { problems, agents } = await load('house/x', {}, { providers: { house: { type: 'old' } } });
  expect(problems).toMatchObject([{ severity: 'warning', code: 'key-unknown', key: 'providers.house.type' }]);
  expect(modelsOf(agents[0])).toEqual(['house + x']);
});

test('a file without models asks for one, and says what it got', async () => {
  const asked: (string | undefined)[] = [];
  const choice = { model: 'openai/mini', why: 'OPENAI_API_KEY is set' };
  const { problems, agents } = await loadFiles(
    { 'desk.ai': 'You are helpful.\n', 'named.ai': childFile(), '.ai-agent.env': 'OPENAI_API_KEY=from-file\n' },
    ['desk.ai', 'named.ai'],
    {
      env: {},
      chooseModel: async (lookUp) => {
        asked.push(lookUp('OPENAI_API_KEY'));
        return choice;
      },
    },
  );
  expect(problems).toEqual([]);
  expect(asked).toEqual(['from-file']);
  expect(agents.map((one) => one.choice)).toEqual([choice, undefined]);
  expect(modelsOf(agents[0])).toEqual(['openai + mini']);
  expect(agents[0]?.session.envOverlay).toEqual({ OPENAI_API_KEY: 'from-file' });
});

test('a session opens its models with the variables they name and no others', async () => {
  const config = {
    providers: { house: { type: 'openai', apiKey: `\${HOUSE_KEY}` }, other: { apiKey: `\${OTHER_KEY}` } },
  };
  const env = { HOUSE_KEY: 'h', OTHER_KEY: 'o', OPENAI_API_KEY: '', OPENAI_KEY: 'second', PATH: '/bin' };
  const { agents } = await load('house/x, openai/gpt-5, ollama/y', env, config);
  const [desk] = agents;
  expect(desk?.session.envOverlay).toEqual({ HOUSE_KEY: 'h', OPENAI_KEY: 'second' });
  if (!desk) return;
  const outcome = await ask(desk.agent, 'go', { ports: fakePorts(), envOverlay: desk.session.envOverlay });
  expect(JSON.parse('text' in outcome ? outcome.text : '')).toEqual({
    model: 'house/x',
    config: { type: 'openai', apiKey: `\${HOUSE_KEY}` },
    env: { HOUSE_KEY: 'h', OPENAI_KEY: 'second' },
  });
});
