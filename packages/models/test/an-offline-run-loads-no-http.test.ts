// Who uses the offline model alone pays neither for HTTP nor for compression nor for a provider package.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serve } from './support/raw-server.ts';

async function loadedBy(program: string): Promise<readonly string[]> {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createModels } = await import('@ai-agent/models');
    ${program}
    process.stdout.write(JSON.stringify([...loaded, ...process.moduleLoadList]));
    process.exit();
  `;
  const args = ['--input-type=module', '-e', source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  const heavy = /NativeModule (http|https|zlib)$|node_modules\/(@ai-sdk\/(openai-compatible|provider-utils)|zod)\//;
  return JSON.parse(stdout).flatMap((name: string) => heavy.exec(name)?.[0] ?? []);
}

test('the offline model', async () => {
  expect(await loadedBy(`await createModels().resolve('offline/demo', { env: {} });`)).toEqual([]);
});

test('a real provider needs the package and HTTP, and compression only when it is used', async () => {
  const { baseUrl } = await serve((_, response) => response.writeHead(404).end());
  const loaded = await loadedBy(`
    const models = createModels({ providers: { local: { type: 'openai-compatible', baseUrl: '${baseUrl}' } } });
    const model = await models.resolve('local/m', { env: {} });
    const request = { system: '', messages: [], tools: [], output: { format: 'text' }, settings: {} };
    await model.call(request, { signal: new AbortController().signal }).catch(() => {});
  `);
  expect(loaded).toContain('NativeModule http');
  expect(loaded).toContain('node_modules/@ai-sdk/openai-compatible/');
  expect(loaded).not.toContain('NativeModule zlib');
});
