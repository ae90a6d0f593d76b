// `ai-agent init`: a parent and two sub-agents that run as they are, and what to type next; nothing is ever overwritten.

import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, folderWith, localProvider, path, run } from './support/command.ts';
import { served } from './support/served.ts';

const written = ['.ai-agent.env', '.ai-agent.json', '.gitignore', 'checklist.ai', 'event.ai', 'invitation.ai'];
const inPath = { PATH: [dirname(command), path].join(delimiter) };

const init = (cwd: string, ...args: readonly string[]) => run(['init', ...args], { cwd });
const nextOf = (stdout: string) => (stdout.split('Next:\n')[1] ?? '').trim().split(/\n\s*/);

test('a new folder: the files, what they run on, and four commands that work as they are printed', async () => {
  const cwd = await folderWith({});
  const folder = "deep/anna's team";
  const { code, stdout, stderr } = await init(cwd, folder);
  expect([code, stderr]).toEqual([0, '']);
  expect((await readdir(join(cwd, folder))).sort()).toEqual(written);
  for (const name of written) expect(stdout).toContain(`  ${folder}/${name} `);
  expect(stdout).toMatch(/^No file names a model: it runs on offline\/demo, because no key is set/m);
  const next = nextOf(stdout);
  expect(next).toHaveLength(4);
  // A server goes on until it is stopped; that there is somebody to serve is enough.
  const lines = next.map((line) => (line.startsWith('ai-agent serve ') ? `${line} --port many` : line));
  const [ran, tools, checked, served] = await Promise.all(
    lines.map((line) => run(['-c', line], { cwd, env: inPath, program: '/bin/sh' })),
  );
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Invitation and checklist for our summer party/),
  });
  expect(ran?.stdout).toMatch(/^invitation:\n[\s\S]*^checklist:\n/m);
  expect(tools).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('agent__invitation') });
  expect(checked).toEqual({ code: 0, stdout: '3 agents checked: 0 errors, 0 warnings\n', stderr: '' });
  expect(served).toMatchObject({ code: 4, stderr: expect.stringContaining('--port must be') });
});

test('git leaves the keys alone', async () => {
  const cwd = await folderWith({});
  await init(cwd, 'team');
  expect(await readFile(join(cwd, 'team/.gitignore'), 'utf8')).toBe('.ai-agent.env\n');
});

test('without a folder, here; what else is there stays', async () => {
  const cwd = await folderWith({ 'notes.txt': 'mine' });
  const { code, stdout } = await init(cwd);
  expect(code).toBe(0);
  expect(nextOf(stdout).slice(1)).toEqual(['ai-agent tools event.ai', 'ai-agent check .', 'ai-agent serve .']);
  expect(await readFile(join(cwd, 'notes.txt'), 'utf8')).toBe('mine');
});

test('with a key they run on a real model, without an edit; nobody else may read the keys', async () => {
  const cwd = await folderWith({});
  await init(cwd);
  const keys = join(cwd, '.ai-agent.env');
  expect((await stat(keys)).mode & 0o077).toBe(0);
  const text = await readFile(keys, 'utf8');
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  await writeFile(keys, text.replace('# ANTHROPIC_API_KEY=', 'ANTHROPIC_API_KEY=sk-ant-nobody'));
  const { stdout } = await run(['list', '--json'], { cwd });
  expect(JSON.parse(stdout).agents.map((one: { runsOn: string }) => one.runsOn)).toEqual(
    Array(3).fill('anthropic/claude-sonnet-5'),
  );
});

test('the places in the configuration are where they are looked for', async () => {
  const model = await served(() => 'from a real model');
  const cwd = await folderWith({});
  await init(cwd);
  const file = join(cwd, '.ai-agent.json');
  const changed = (await readFile(file, 'utf8'))
    .replace('// "models": "openai/gpt-5.4"', '"models": "local/qwen3"')
    .replace('// "local": { "type"', '"local": { "type"')
    .replace('// "local": { "qwen3"', '"local": { "qwen3"')
    .replace('http://localhost:8080/v1', model.baseUrl)
    .replace(/\$\{LOCAL_KEY\}/, 'any');
  await writeFile(file, changed);
  const ran = await run(['event.ai', '--json', '--budget-cost-usd', '1', 'hello'], { cwd });
  expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'completed', text: 'from a real model' });
  expect(JSON.parse(ran.stdout).ledger.total.costUsd).toBeGreaterThan(0);
});

test('what the configuration around it names is said', async () => {
  const cwd = await folderWith({
    'home/.ai-agent/ai-agent.json': { ...localProvider('http://localhost:1/v1'), defaults: { models: 'local/m' } },
  });
  expect((await init(cwd)).stdout).toContain('It runs on local/m, as home/.ai-agent/ai-agent.json says.');
});

test('where it cannot run, the file is named in which that is set up', async () => {
  const cwd = await folderWith({ 'home/.ai-agent/ai-agent.json': { defaults: { models: 'nobody/m' } } });
  expect((await init(cwd)).stdout).toContain('It cannot run as it is set up in home/.ai-agent/ai-agent.json; ');
});

test('called through npx, the commands are those of npx', async () => {
  const cwd = await folderWith({});
  const { stdout } = await run(['init'], { cwd, env: { npm_command: 'exec' } });
  for (const line of nextOf(stdout)) expect(line).toMatch(/^npx ai-agent /);
});

describe('what is in the way', () => {
  test('is named, and nothing is written', async () => {
    const cwd = await folderWith({ 'team/event.ai': 'mine', 'team/checklist.ai': 'mine too' });
    const { code, stdout, stderr } = await init(cwd, 'team');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'failed (config): team/event.ai, team/checklist.ai are in the way. Nothing was written.\n' +
        'What to do: Name another folder, or say --force: what you changed in these files is then overwritten, keys are kept.\n',
    );
    expect((await readdir(join(cwd, 'team'))).sort()).toEqual(['checklist.ai', 'event.ai']);
    expect(await readFile(join(cwd, 'team/event.ai'), 'utf8')).toBe('mine');
  });

  test('is overwritten with --force, except keys', async () => {
    const cwd = await folderWith({ 'event.ai': 'mine', '.ai-agent.env': 'OPENAI_API_KEY=mine' });
    const { code, stdout } = await init(cwd, '--force');
    expect(code).toBe(0);
    expect(await readFile(join(cwd, 'event.ai'), 'utf8')).toMatch(/^---\n/);
    expect(await readFile(join(cwd, '.ai-agent.env'), 'utf8')).toBe('OPENAI_API_KEY=mine');
    const [overwritten, kept] = stdout.split('\n\n');
    expect(overwritten).not.toContain('.ai-agent.env');
    expect(kept).toBe('Kept as it was: .ai-agent.env');
    expect(stdout).not.toContain('Put a key into');
  });

  test('is no .gitignore: it stays as it is, and what it lacks is said', async () => {
    const cwd = await folderWith({ '.gitignore': 'node_modules/\n' });
    const { code, stdout } = await init(cwd);
    expect(code).toBe(0);
    expect(stdout).toContain('Kept as it was: .gitignore (see that it has .ai-agent.env in it)');
    await writeFile(join(cwd, '.gitignore'), 'dist/\n.ai-agent.env\n');
    expect((await init(cwd, '--force')).stdout).toContain('Kept as they were: .ai-agent.env, .gitignore\n');
    expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe('dist/\n.ai-agent.env\n');
  });

  test('a key that opens no provider by itself is not asked for again', async () => {
    const cwd = await folderWith({ '.ai-agent.env': '# mine\nMY_OWN=x\n' });
    const { stdout } = await init(cwd, '--force');
    expect(stdout).toContain('What .ai-agent.env has opens no provider by itself');
    expect(stdout).not.toContain('Put a key into');
  });

  test('a link or a folder is never written through', async () => {
    const cwd = await folderWith({ 'elsewhere.txt': 'mine' });
    await symlink(join(cwd, 'elsewhere.txt'), join(cwd, 'event.ai'));
    await mkdir(join(cwd, 'invitation.ai'));
    const { code, stderr } = await init(cwd, '--force');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^failed \(config\): event\.ai, invitation\.ai are in the way\. Nothing was written\.\n/);
    expect(await readFile(join(cwd, 'elsewhere.txt'), 'utf8')).toBe('mine');
  });
});

test.each([
  ['a file', 'notes.txt', /^failed \(config\): notes\.txt is no folder\.\nWhat to do: /],
  ['below a file', 'notes.txt/team', /^failed \(config\): notes\.txt\/team cannot be written: .+\nWhat to do: /],
  ['where nobody may write', '/proc/team', /^failed \(config\): \/proc\/team cannot be written: .+\nWhat to do: /],
])('%s is no place for it', async (_, folder, said) => {
  const cwd = await folderWith({ 'notes.txt': '' });
  const { code, stdout, stderr } = await init(cwd, folder);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(said);
});

test('two folders, or an empty name, are misuse', async () => {
  const cwd = await folderWith({});
  expect(await init(cwd, 'a', 'b')).toMatchObject({ code: 4, stderr: expect.stringContaining('Name one folder') });
  expect(await init(cwd, '')).toMatchObject({ code: 4 });
  expect((await readdir(cwd)).sort()).toEqual(['home']);
});
