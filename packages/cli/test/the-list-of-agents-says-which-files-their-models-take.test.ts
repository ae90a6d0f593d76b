// The promise: a served file tells which files may come with a prompt by the type of its provider; the model that needs nothing takes none.

import { expect, test } from 'vitest';
import { agentFile, folderWith } from './support/command.ts';
import { serving } from './support/serving.ts';

test('each provider as it is', async () => {
  const types = ['openai', 'anthropic', 'google', 'openrouter', 'ollama', 'openai-compatible'] as const;
  const files = types.map((type) => [`agents/${type}.ai`, agentFile([`models: p-${type}/m`])]);
  const provider = (type: string) => ({ type, baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'none' });
  const cwd = await folderWith({
    ...Object.fromEntries(files),
    'agents/offline.ai': agentFile(['models: offline/demo']),
    '.ai-agent.json': { providers: Object.fromEntries(types.map((type) => [`p-${type}`, provider(type)])) },
  });
  const server = await serving(['serve', 'agents', '--port', '0'], { cwd });
  const { agents } = JSON.parse((await server.get('/v1')).text) as {
    agents: { name: string; attachments?: string[] }[];
  };
  const taken = Object.fromEntries(agents.map(({ name, attachments }) => [name, attachments]));
  const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
  expect(taken).toEqual({
    openai: [...pictures, 'application/pdf'],
    openrouter: [...pictures, 'application/pdf'],
    anthropic: [...pictures, 'application/pdf', 'text/plain'],
    google: ['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain', 'audio/*', 'video/*'],
    ollama: pictures,
    'openai-compatible': pictures,
    offline: undefined,
  });
});
