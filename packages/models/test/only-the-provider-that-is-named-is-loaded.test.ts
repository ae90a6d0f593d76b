// Whoever names one provider pays for its package, and for no other. Nothing of it looks into the environment.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serve } from './support/raw-server.ts';

const packages = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;

/** What a call of such a model loads and reads, in a process of its own. */
async function traceOf(type: string, baseUrl: string): Promise<{ loaded: string[]; read: string[] }> {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    const read = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createModels } = await import('@ai-agent/models');
    const env = process.env;
    const note = (target, name) => (typeof name === 'string' && read.push(name), Reflect.get(target, name));
    Object.defineProperty(process, 'env', { value: new Proxy(env, { get: note }) });
    const models = createModels({ providers: { mine: { type: '${type}', baseUrl: '${baseUrl}', apiKey: 'k' } } });
    const model = await models.resolve('mine/m', { env: {} });
    const request = { system: '', messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], tools: [], output: { format: 'text' }, settings: {} };
    await model.call(request, { signal: new AbortController().signal }).catch(() => {});
    void process.env.OUR_OWN_KEY;
    process.stdout.write(JSON.stringify({ loaded, read }));
    process.exit();
  `;
  const args = ['--input-type=module', '-e', source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  return JSON.parse(stdout);
}

test.each([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['openrouter', 'openai-compatible'],
  ['openai-compatible', 'openai-compatible'],
  ['ollama', undefined],
])('%s', async (type, own) => {
  const { baseUrl } = await serve((_, response) => response.writeHead(404).end('{"error":{"message":"no"}}'));
  const { loaded, read } = await traceOf(type, baseUrl);
  const used = packages.filter((name) => loaded.some((url) => url.includes(`node_modules/@ai-sdk/${name}/`)));
  expect(used).toEqual(own === undefined ? [] : [own]);
  const told = read.filter((name) => /KEY|TOKEN|BASE|URL|ORG|OPENAI|ANTHROPIC|GOOGLE|GEMINI|OLLAMA/.test(name));
  // The one that this test reads, to see that reading is seen.
  expect(told).toEqual(['OUR_OWN_KEY']);
});
