// What `npm pack` gives is whole: installed in an empty folder it is a command and a library with types, and needs nothing else.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Installed, installPackage, repository } from '../../../scripts/install-package.ts';
import { agentFile, type Ended, run } from './support/command.ts';

const execute = promisify(execFile);

let installed: Installed;
beforeAll(async () => {
  installed = await installPackage();
}, 60_000);
afterAll(() => installed.remove());

function runInstalled(args: readonly string[]): Promise<Ended> {
  return run(args, { cwd: installed.folder, program: installed.command });
}

test('it holds the build, its types and the licences, and nothing that only we need', async () => {
  const paths = installed.packed.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/LICENSES.md']));
  const others = paths.filter((path) => !/^dist\/|^(?:LICENSE|README\.md|package\.json)$/.test(path));
  expect(others).toEqual([]);
  expect(paths.filter((path) => /(?<!\.d)\.ts$|\.test\.|node_modules|\.map$/.test(path))).toEqual([]);
  expect(installed.packed.size).toBeLessThan(10_000_000);
  const licences = await readFile(join(installed.folder, 'node_modules/ai-agent/dist/LICENSES.md'), 'utf8');
  const inside = ['ajv', 'yaml', 'liquidjs', 'zod', '@ai-sdk/anthropic', 'hono', '@hono/node-server'];
  for (const name of inside) expect(licences).toContain(`## ${name} `);
});

test('it has no script that an installation would run, or warn of', async () => {
  const manifest = await readFile(join(installed.folder, 'node_modules/ai-agent/package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: object };
  const run = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'prepublish'];
  expect(Object.keys(scripts).filter((name) => run.includes(name))).toEqual([]);
});

// What came after Node 22.13, the oldest that `engines` lets in, and is easily used unawares.
const newer =
  /RegExp\.escape\b|Error\.isError\b|\.(?:from|to)Base64\(|Promise\.try\b|Iterator\.concat\b|Math\.sumPrecise\b|\.getOrInsert|\bawait using |registerHooks|import\.meta\.main\b|\bTemporal\./;

/** What is asked for first may be missing. */
const askedFor =
  /if ?\((?:Uint8Array\.(?:prototype\.toBase64|fromBase64)|typeof Promise\.try ?===? ?["'`]function["'`])\) ?(?:return|\{)[\s\S]*?[;}]/g;

test('it uses nothing that its oldest Node does not have', async () => {
  const dist = join(installed.folder, 'node_modules/ai-agent');
  const { engines } = JSON.parse(await readFile(join(dist, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('>=22.13');
  for (const { path } of installed.packed.files.filter((file) => /\.c?js$/.test(file.path)))
    expect(newer.exec((await readFile(join(dist, path), 'utf8')).replace(askedFor, ''))?.[0], path).toBeUndefined();
});

test('the library has lines that can be shown, and looks at its Node before anything else', async () => {
  const dist = join(installed.folder, 'node_modules/ai-agent/dist');
  for (const entry of ['index.js', 'server.js', 'testing.js']) {
    const code = await readFile(join(dist, entry), 'utf8');
    expect(code.split('\n').length).toBeGreaterThan(100);
    const [, first = ''] = /^import "(.*)";\n/.exec(code) ?? [];
    const guard = await readFile(join(dist, first), 'utf8');
    expect(guard).not.toContain('import');
    // As if this Node were old.
    const old = guard.replaceAll('process.versions.node', '"22.12.1"').replace('export {};', '');
    expect(() => new Function(old)()).toThrow('ai-agent needs Node 22.13 or newer, and this is 22.12.1: upgrade Node.');
    expect(() => new Function(old.replaceAll('22.12.1', '22.13.0'))()).not.toThrow();
  }
});

test('it is one package: nothing comes along', async () => {
  const names = (await readdir(join(installed.folder, 'node_modules'))).filter((name) => !name.startsWith('.'));
  expect(names).toEqual(['ai-agent']);
});

test('the command says its version, checks a file, and runs it', async () => {
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string };
  expect(await runInstalled(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  await writeFile(join(installed.folder, 'demo.ai'), agentFile(['description: answers', 'models: offline/demo']));
  expect((await runInstalled(['check', 'demo.ai'])).code).toBe(0);
  const answered = await runInstalled(['demo.ai', 'Good morning']);
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('Good morning') });
});

const liquid = 'It is {{ DATETIME }}{% if true %}, and you answer{% endif %}.';
const wires = {
  'openai-compatible': '/chat/completions',
  openai: '/responses',
  anthropic: '/messages',
  google: '/models/m:streamGenerateContent',
  openrouter: '/chat/completions',
  ollama: '/api/chat',
};

test.each(Object.entries(wires))('a run reaches a provider of type %s', async (type, path) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    request.resume();
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"who are you?"}}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tokenizer = type === 'openai' ? 'tiktoken:gpt-4' : undefined;
  const config = { providers: { local: { type, baseUrl, apiKey: 'k', models: { m: { tokenizer } } } } };
  await writeFile(join(installed.folder, '.ai-agent.json'), JSON.stringify(config));
  await writeFile(join(installed.folder, 'asks.ai'), agentFile(['models: local/m'], liquid));
  const ended = await runInstalled(['asks.ai', 'hello']);
  expect(ended.stderr).toContain('who are you?');
  expect(ended.code).toBe(2);
  expect(asked[0]?.split('?')[0]).toBe(path);
});

const program = `import { ask, defineAgent } from 'ai-agent';
import { scriptedModel } from 'ai-agent/testing';
const agent = defineAgent({ name: 'a', instructions: 'You answer.', model: scriptedModel(['So be it.']) });
const { status, text } = await ask(agent, 'hello');
console.log(status, text);
`;

test('as a library it answers', async () => {
  await writeFile(join(installed.folder, 'program.mjs'), program);
  const { stdout } = await execute(process.execPath, ['program.mjs'], { cwd: installed.folder });
  expect(stdout).toBe('completed So be it.\n');
});

const server = `import { defineAgent } from 'ai-agent';
import { createApi, serveAgents } from 'ai-agent/server';
import { scriptedModel } from 'ai-agent/testing';
const agent = defineAgent({ name: 'a', instructions: 'You answer.', model: scriptedModel(() => 'So be it.') });
const { fetch: answer, stop } = createApi({ agents: [agent] });
console.log(await (await answer(new Request('http://localhost/v1/a?q=hello'))).text());
await stop();
const served = await serveAgents({ agents: [agent], port: 0 });
const response = await fetch(served.url + '/v1/a?q=hello');
console.log(response.status, await response.text());
await served.stop();
`;

test('as a server inside a program it answers', async () => {
  await writeFile(join(installed.folder, 'server.mjs'), server);
  const { stdout } = await execute(process.execPath, ['server.mjs'], { cwd: installed.folder });
  expect(stdout).toBe('So be it.\n200 So be it.\n');
});

const typed = `import { type AgentEvent, ask, defineAgent, fromLanguageModel, type Model, type Outcome } from 'ai-agent';
import { type Api, createApi, type ServedAgent, type Serving, serveAgents } from 'ai-agent/server';
import { scriptedModel } from 'ai-agent/testing';

type LanguageModel = Parameters<typeof fromLanguageModel>[0];
export const nameOf = (model: LanguageModel): string => model.modelId;
export const open = (model: LanguageModel): Model => fromLanguageModel(model);
export const typeOf = (event: AgentEvent): string => event.type;
// @ts-expect-error a name is a text
defineAgent({ name: 1, instructions: '', model: 'offline/demo' });
// @ts-expect-error a language model is more than this
open({ modelId: 3 });
// @ts-expect-error agents are a list
createApi({ agents: 'a' });
export const api = (agents: readonly ServedAgent[]): Api => createApi({ agents });
export const serve = (agents: readonly ServedAgent[]): Promise<Serving> => serveAgents({ agents, port: 0 });
export async function main(): Promise<Outcome> {
  return ask(defineAgent({ name: 'a', instructions: '', model: scriptedModel(['yes']) }), 'hello');
}
`;

const readers = {
  'Node resolution': { module: 'nodenext', types: [] },
  'bundler resolution': { module: 'esnext', moduleResolution: 'bundler', types: [] },
  "Node's types and no browser's": {
    module: 'nodenext',
    lib: ['ES2024'],
    types: ['node'],
    typeRoots: [join(repository, 'node_modules/@types')],
  },
};

test.each(Object.entries(readers))('its types are whole under %s, declarations looked at too', async (_, options) => {
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, target: 'ES2024', ...options };
  await writeFile(join(installed.folder, 'typed.ts'), typed);
  await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const told = await execute(process.execPath, [compiler, '-p', installed.folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(told).toBe('');
});
