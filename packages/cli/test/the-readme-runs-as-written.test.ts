// The README is the first thing people try: each of its blocks is run, or compared with what it shows, as written.

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import { afterAll, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../../..');
const readme = readFileSync(join(repository, 'README.md'), 'utf8').replaceAll('\r\n', '\n');
// Inside the repository, so that `ai-agent` is found; not under node_modules, where Node strips no types.
const folder = mkdtempSync(join(repository, '.readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What runs is kept in the home of whoever runs it: here that is nobody's. */
const env = { ...process.env, HOME: folder };

const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const [file, command, answer, program, printed, demo, own, ...others] = blocks.map(({ text }) => text);
const [office, officeCommand, officeTree, clerk, servers, clerksCommand, clerksAnswer, ...rest] = others;
const [serve, served, inspect, inspected, complete, completed, widget, sessions, install, library, tests] = rest;

test('these are its blocks, and no others', () => {
  const languages = blocks.map(({ language }) => language);
  const first = ['yaml', 'sh', 'text', 'ts', 'text', 'sh', 'sh'];
  expect(languages).toEqual([
    ...first,
    'yaml',
    'sh',
    'text',
    'yaml',
    'json',
    'sh',
    'text',
    'sh',
    'text',
    'sh',
    'text',
    'sh',
    'text',
    'html',
    'sh',
    'sh',
    'ts',
    'sh',
  ]);
});

test('the two tags of the widget are those of its own page, where they are tried in a browser', () => {
  const page = readFileSync(join(repository, 'docs/embedding.md'), 'utf8');
  const tagsIn = (html = '') => [...html.matchAll(/<([\w-]+)/g)].map(([, tag]) => tag);
  const shown = /^```html\n([\s\S]*?)^```$/m.exec(page)?.[1];
  expect(tagsIn(widget)).toEqual(['script', 'ai-agent-chat']);
  expect(tagsIn(shown)).toEqual(tagsIn(widget));
  expect(existsSync(join(repository, 'dist/web/widget.js.br'))).toBe(true);
});

test('the agent file is the one in the examples, in eight lines', () => {
  const path = /^npx ai-agent (\S+) /.exec(command ?? '')?.[1] ?? '';
  expect(file).toBe(readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n'));
  expect(file?.trimEnd().split('\n')).toHaveLength(8);
});

test('the command prints what stands below it', () => {
  const { stdout, status } = spawnSync('sh', ['-c', command ?? ''], { cwd: repository, encoding: 'utf8', env });
  expect(status).toBe(0);
  expect(stdout).toBe(answer);
});

test('the front desk is the one in the examples, and its tree stands below it, whatever the figures are', () => {
  const path = /^npx ai-agent (\S+) /.exec(officeCommand ?? '')?.[1] ?? '';
  expect(office).toBe(readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n'));
  const { stderr, status } = spawnSync('sh', ['-c', officeCommand ?? ''], { cwd: repository, encoding: 'utf8', env });
  // npx may say things of its own before.
  const withoutFigures = (tree = '') =>
    tree
      .replace(/^npm .*$/gm, '')
      .trim()
      .replace(/(?<=: ).*\d.*$/gm, '…');
  expect([status, withoutFigures(stderr)]).toEqual([0, withoutFigures(officeTree)]);
  expect(withoutFigures(officeTree)).toContain('destination complaints: ');
});

test('a session goes on, and is listed', () => {
  const { stdout, status } = spawnSync('sh', ['-ec', sessions ?? ''], { cwd: repository, encoding: 'utf8', env });
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\w{10} +[-\d]+ [:\d]+ +desk +completed +2 .* Write a release note for version 2\.4/m);
});

test('the agent with a server is the one in the examples, and says what stands below it', () => {
  const path = /^npx ai-agent (\S+) /.exec(clerksCommand ?? '')?.[1] ?? '';
  expect(clerk).toBe(readFileSync(join(repository, path), 'utf8').replaceAll('\r\n', '\n'));
  const config = parse(readFileSync(join(repository, path, '../.ai-agent.json'), 'utf8'));
  expect(config).toMatchObject(JSON.parse(servers ?? ''));
  const { stdout, status } = spawnSync('sh', ['-c', clerksCommand ?? ''], { cwd: repository, encoding: 'utf8', env });
  expect([status, stdout]).toEqual([0, clerksAnswer]);
});

test.each([
  ['asks it', serve, served],
  ['asks it as a model', complete, completed],
])('a few lines serve an agent, and end the server: one %s', async (_, lines = '', shown = '') => {
  const port = await freePort();
  const script = lines.replaceAll('8080', String(port));
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: repository, timeout: 20_000, env });
  // An answer has no line of its own at its end.
  expect(stdout.trimEnd()).toBe(shown.trimEnd());
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/health`).catch(() => 'gone'), { timeout: 10_000 })
    .toBe('gone');
});

test('the inspector starts a server, and prints the tools that stand below', async () => {
  const { stdout } = await promisify(execFile)('sh', ['-c', inspect ?? ''], { cwd: repository, timeout: 20_000, env });
  expect(stdout).toBe(inspected);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await promisify(server.close.bind(server))();
  return port;
}

test('the program prints what stands below it, in ten lines', () => {
  const path = join(folder, 'desk.ts');
  writeFileSync(path, program ?? '');
  expect(execFileSync(process.execPath, [path], { cwd: repository, encoding: 'utf8', env })).toBe(printed);
  expect(program?.trimEnd().split('\n')).toHaveLength(10);
});

test('the first screen ends with three links', () => {
  const links = /^Read on: (.*)$/m.exec(readme)?.[1]?.match(/\]\([^)]+\)/g) ?? [];
  expect(links).toHaveLength(3);
});

test('all programs compile', () => {
  for (const [i, block] of [program, library].entries()) writeFileSync(join(folder, `block-${i}.ts`), block ?? '');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../tsconfig.tests.json', include: ['block-*.ts'] }),
  );
  const tsc = join(repository, 'node_modules/.bin/tsc');
  expect(() => execFileSync(tsc, ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })).not.toThrow();
});

test('a team of one’s own is written and runs, and can be changed as the three steps say', () => {
  const clone = mkdtempSync(join(folder, 'clone-'));
  symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'));
  const env = { ...process.env, HOME: clone, OLLAMA_HOST: '127.0.0.1:1', OPENAI_API_KEY: '' };
  const sh = (line: string) => spawnSync('sh', ['-c', line], { cwd: clone, encoding: 'utf8', env });
  expect(sh(own ?? '')).toMatchObject({ status: 0, stdout: expect.stringContaining('summer party on 12 June') });
  const music = readFileSync(join(clone, 'my-team/invitation.ai'), 'utf8').replaceAll('invitation', 'music');
  writeFileSync(join(clone, 'my-team/music.ai'), music);
  const event = readFileSync(join(clone, 'my-team/event.ai'), 'utf8');
  writeFileSync(join(clone, 'my-team/event.ai'), event.replace(/^agents: .*$/m, '$&, music.ai'));
  expect(sh('npx ai-agent tools my-team/event.ai').stdout).toContain('agent__music');
  expect(sh('npx ai-agent check my-team').stdout).toBe('4 agents checked: 0 errors, 0 warnings\n');
  expect(sh('npx ai-agent my-team/event.ai --help').stdout).toContain('maxTurns: ');
});

test('the commands that install are one line each, of scripts that are there', () => {
  expect([demo, tests]).toEqual(['npm ci && npm run demo\n', 'npm ci && npm test\n']);
  const { name, version, scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  expect(scripts).toMatchObject({ demo: expect.any(String), test: expect.any(String) });
  expect(install).toBe(`npm pack && npm install --global ./${name}-${version}.tgz\n`);
});

test('its links lead to files that are there', () => {
  const targets = [...readme.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(targets.filter((target) => !existsSync(join(repository, target)))).toEqual([]);
});
