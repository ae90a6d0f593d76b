// The promise: where OpenAI is, and who asks it, is what the configuration says; the environment has no say.

import { createModels, type ProviderConfig } from '@ai-agent/models';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { serve } from './support/raw-server.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';

beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-environment');
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/environment');
  vi.stubEnv('OPENAI_ORGANIZATION', 'org-of-the-environment');
  vi.stubEnv('OPENAI_PROJECT', 'project-of-the-environment');
});
afterEach(() => void vi.unstubAllEnvs());

describe.each([openaiResponses, openaiChat])('$label', (wire) => {
  async function asked(config: (baseUrl: string) => ProviderConfig) {
    const seen: { url: string; headers: Readonly<Record<string, unknown>> }[] = [];
    const { baseUrl } = await serve(({ url = '', headers }, response) => {
      seen.push({ url, headers });
      response.writeHead(200, { 'content-type': 'application/json' }).end(wire.whole({ text: 'Hello' }));
    });
    const models = createModels({ providers: { openai: { ...wire.config, ...config(baseUrl) } } });
    onTestFinished(() => models.close());
    const model = await models.resolve('openai/gpt-5.4', { env: {} });
    await model.call(requestOf(), contextOf());
    return seen[0] ?? expect.fail();
  }

  test('its address, and its key', async () => {
    const { url, headers } = await asked((baseUrl) => ({ baseUrl, apiKey: 'sk-own' }));
    expect([url, headers.authorization]).toEqual([wire.paths.whole, 'Bearer sk-own']);
    expect(JSON.stringify(headers)).not.toContain('environment');
    expect(Object.keys(headers).filter((name) => name.startsWith('openai'))).toEqual([]);
  });

  test('without a key, none', async () => {
    const { headers } = await asked((baseUrl) => ({ baseUrl }));
    expect(headers.authorization).toBeUndefined();
    expect(JSON.stringify(headers)).not.toContain('environment');
  });

  test('what its address asks for goes along', async () => {
    const { url } = await asked((baseUrl) => ({ baseUrl: `${baseUrl}/?api-version=2` }));
    expect(url).toBe(`${wire.paths.whole}?api-version=2`);
  });

  test('headers of its own come last', async () => {
    const own = { Authorization: 'Token mine', 'OpenAI-Organization': 'org-own', 'User-Agent': 'mine' };
    const { headers } = await asked((baseUrl) => ({ baseUrl, apiKey: 'sk-own', headers: own }));
    expect(headers).toMatchObject({ authorization: 'Token mine', 'openai-organization': 'org-own' });
    expect(headers['user-agent']).toMatch(/^mine/);
  });
});
