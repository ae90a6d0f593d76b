// What a command does not use it does not load: this is where a fast start comes from, and it is lost by one careless import.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveScript } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { repository } from '../../../scripts/install-package.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';

const sources = pathToFileURL(join(repository, 'packages/cli/src/')).href;
const hook = pathToFileURL(join(import.meta.dirname, 'support/list-loaded.mjs')).href;

/** A run of the sources, where every module is a file: the packages it loaded, by name. */
async function packagesOf(args: readonly string[], options: Options = {}): Promise<readonly string[]> {
  const program = `import(${JSON.stringify(`${sources}main.ts`)}).then(({ main }) => main(process.argv.slice(1)))`;
  const loaded = await listLoaded(['-e', program, '--', ...args], options);
  const names = loaded.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined && !name.startsWith('@ai-agent/')).sort() as string[];
}

/** A run of the build: the names of its files, and the modules of Node. */
async function filesOf(args: readonly string[], options: Options = {}): Promise<readonly string[]> {
  const loaded = await listLoaded([join(repository, 'dist/ai-agent.cjs'), ...args], options);
  return loaded.map((name) => name.replace(/.*\/(?:dist|command)\//, '').replace(/\.cjs$/, ''));
}

interface Options {
  readonly files?: Readonly<Record<string, string | object>>;
}

async function listLoaded(args: readonly string[], { files = {} }: Options): Promise<readonly string[]> {
  const cwd = await folderWith(files);
  const list = join(cwd, 'loaded.txt');
  const env = { LOADED_LIST: list, NODE_DISABLE_COMPILE_CACHE: '1' };
  const ended = await run(['--import', hook, ...args], { cwd, env, program: process.execPath });
  expect(ended).toMatchObject({ code: 0 });
  return (await readFile(list, 'utf8')).split('\n');
}

async function plainRun(): Promise<Options> {
  const server = await serveScript(['Good day.']);
  onTestFinished(() => server.close());
  return {
    files: { '.ai-agent.json': localProvider(server.baseUrl), 'hello.ai': agentFile(['models: local/m']) },
  };
}

describe('the packages', () => {
  test('of help are those that read files', async () => {
    expect(await packagesOf(['--help'])).toEqual(['jsonc-parser', 'yaml']);
  });

  test('of a run on one provider are those of that provider: no schema is compiled, no template, no table read', async () => {
    const used = await packagesOf(['hello.ai', 'hello'], await plainRun());
    const ofProvider = ['@ai-sdk/openai-compatible', '@ai-sdk/provider', '@ai-sdk/provider-utils'];
    expect(used).toEqual(expect.arrayContaining([...ofProvider, 'jsonc-parser', 'yaml', 'zod']));
    for (const name of ['ajv', 'liquidjs', 'js-tiktoken', '@pydantic/genai-prices', 'jsonrepair'])
      expect(used).not.toContain(name);
    expect(used.filter((name) => name.startsWith('@ai-sdk/'))).toEqual(ofProvider);
  });

  test('of a demo, whose tools are called, add the one that checks their arguments', async () => {
    const used = await packagesOf(['demo']);
    expect(used).toContain('ajv');
    expect(used).not.toContain('zod');
  });

  test('of the library are none until something is done with it', async () => {
    const program = `await import(${JSON.stringify(`${sources}index.ts`)})`;
    const loaded = await listLoaded(['--input-type=module', '-e', program], {});
    expect(
      loaded.filter((url) => /\/node_modules\/(?!@ai-agent\/)/.test(url) && !url.includes('@ai-sdk/provider/')),
    ).toEqual([]);
    expect(loaded.filter((url) => url.includes('/packages/agents/'))).toEqual([]);
  });
});

describe('the files of the build', () => {
  test('are no more than the entry for a version', async () => {
    const files = await filesOf(['--version']);
    const others = files.filter((name) => !/^(?:NativeModule|Internal Binding|node:)/.test(name));
    expect(others).toEqual(['ai-agent', expect.stringContaining('package.json')]);
  });

  test('of help are the start alone', async () => {
    const files = await filesOf(['--help']);
    expect(files).toContain('start');
    for (const name of heavy) expect(files).not.toContain(name);
  });

  test('of a server on stdio are those of its protocol, and Node loads nothing of HTTP', async () => {
    const files = await filesOf(['serve', 'hello.ai', '--mcp', 'stdio'], await plainRun());
    expect(files).toEqual(expect.arrayContaining(['start', 'serve', 'stdio']));
    expect(files).not.toContain('doors');
    for (const name of ['http', 'http2', 'https', 'tls', 'crypto', 'zlib', 'internal/deps/undici/undici'])
      expect(files).not.toContain(`NativeModule ${name}`);
  });

  test('of a run on one provider are its own, and Node loads neither TLS nor fetch', async () => {
    const files = await filesOf(['hello.ai', 'hello'], await plainRun());
    expect(files).toEqual(expect.arrayContaining(['start', 'providers', 'openai-compatible']));
    for (const name of heavy.filter((one) => one !== 'providers')) expect(files).not.toContain(name);
    for (const name of ['https', 'tls', 'zlib', 'internal/deps/undici/undici', 'internal/fs/promises'])
      expect(files).not.toContain(`NativeModule ${name}`);
  });
});

const heavy = [
  'serve',
  'doors',
  'stdio',
  'agent-servers',
  'mcp-house',
  'providers',
  'anthropic',
  'openai',
  'google',
  'openrouter',
  'ollama',
  'liquid.node',
  'cl100k_base',
  'o200k_base',
  'ajv',
  'ajv-2020',
  'ajv-formats',
];
