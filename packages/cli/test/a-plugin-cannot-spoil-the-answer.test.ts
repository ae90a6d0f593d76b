// The promise: whatever a plugin does, the command has printed the answer before, stdout is the answer alone, and what a plugin
// leaves behind is a line on stderr; over a real HTTP model, with real modules.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { served } from './support/served.ts';

const plugin = (work: string, before = '') => `${before}
import { writeFileSync } from 'node:fs';
const note = (name) => writeFileSync(new URL('./' + name, import.meta.url), '');
export default function create() {
  return {
    name: 'topic',
    getRequirements: () => ({ schema: {}, systemPromptInstructions: 'Say anything.' }),
    async onComplete() { ${work} },
  };
}`;

const canary = 'canary-0123456789abcdef';

async function deskWith(module: string, more: Readonly<Record<string, string>> = {}) {
  const model = await served(() => 'At nine. <ai-agent-META plugin="topic">1</ai-agent-META>');
  return folderWith({
    'desk.ai': agentFile(['models: local/m', 'description: Answers.', 'plugins: topic.mjs']),
    'topic.mjs': module,
    '.ai-agent.json': localProvider(model.baseUrl, { apiKey: '$' + '{DESK_WORD}' }),
    ...more,
  });
}

const env = { DESK_WORD: canary };
const ask = (cwd: string, ...words: readonly string[]) => run(['desk.ai', '-q', ...words, 'When?'], { cwd, env });

test('one that ends the process ends it when the answer is printed', async () => {
  const cwd = await deskWith(plugin('process.exit(7);'));
  expect(await ask(cwd)).toEqual({ code: 7, stdout: 'At nine.\n', stderr: '' });
  expect(JSON.parse((await ask(cwd, '--json')).stdout)).toMatchObject({ status: 'completed', text: 'At nine.' });
});

test('one that never lets go of the process: the answer was printed before', async () => {
  const cwd = await deskWith(plugin("note('begun'); for (;;);"));
  const { child, ended } = start(['desk.ai', '-q', 'When?'], { cwd, env });
  await expect.poll(() => existsSync(join(cwd, 'begun')), { timeout: 10_000 }).toBe(true);
  child.kill('SIGKILL');
  expect((await ended).stdout).toBe('At nine.\n');
});

test('the plugin of a sub-agent begins when the answer of the run is printed', async () => {
  const model = await served((request) => {
    if (request.system.includes('child')) return 'Deep. <ai-agent-META plugin="topic">1</ai-agent-META>';
    if (request.messages.length > 1) return 'Done.';
    return { calls: [{ name: 'agent__child', input: { text: 'dig', reason: 'r' } }] };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: child.ai']),
    'child.ai': agentFile(['models: local/m', 'description: digs', 'plugins: topic.mjs'], 'You are the child.'),
    'topic.mjs': plugin('process.exit(7);'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  expect(await run(['lead.ai', '-q', 'go'], { cwd })).toEqual({ code: 7, stdout: 'Done.\n', stderr: '' });
});

test.each([
  ['a throw in a timer', `setTimeout(() => { throw new TypeError('late ${canary}'); }, 20);`, 'late ***'],
  ['a rejection that nobody hears', `void Promise.reject(new TypeError('lost ${canary}'));`, 'lost ***'],
  ['a rejection with no error', "void Promise.reject('why\\nnot');", 'why not'],
])('%s is one line without secrets; answer and exit code stand', async (_, work, said) => {
  const stderr = `A plugin failed where nobody waited for it: ${said}\n`;
  expect(await ask(await deskWith(plugin(work)))).toEqual({ code: 0, stdout: 'At nine.\n', stderr });
  // As it is loaded, before there is any answer.
  expect(await ask(await deskWith(plugin('', work)))).toEqual({ code: 0, stdout: 'At nine.\n', stderr });
});

test('what it logs goes to stderr', async () => {
  const loud = plugin("console.log('at work');", "console.log('loaded'); console.info('hello'); console.table([[1]]);");
  const cwd = await deskWith(loud);
  const ended = await ask(cwd);
  expect(ended).toMatchObject({ code: 0, stdout: 'At nine.\n' });
  expect(ended.stderr).toMatch(/^loaded\nhello\n[\s\S]*at work\n$/);
  expect(JSON.parse((await ask(cwd, '--json')).stdout)).toMatchObject({ text: 'At nine.' });
  const checked = await run(['check', '--json', 'desk.ai'], { cwd, env });
  expect(JSON.parse(checked.stdout)).toMatchObject({ errors: 0 });
  expect(checked.stderr).toContain('loaded\n');
});

test('what a module opens as it is loaded keeps neither a check nor a run that cannot begin', async () => {
  const cwd = await deskWith(plugin('', 'setInterval(() => {}, 100);'), {
    'wrong.ai': agentFile(['models: local/m', 'plugins: topic.mjs', 'maxTurns: many']),
  });
  const [checked, refused] = await Promise.all([
    run(['check', 'desk.ai'], { cwd, env }),
    run(['wrong.ai', '-q', 'When?'], { cwd, env }),
  ]);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('0 errors')]);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
});

test('list runs no code of the files it lists, and still says which are not there', async () => {
  const cwd = await deskWith(plugin('', "console.log('loaded'); process.exitCode = 9;"), {
    'lost.ai': agentFile(['models: local/m', 'plugins: nowhere.js']),
  });
  const listed = await run(['list', '--json'], { cwd, env });
  expect(JSON.parse(listed.stdout).agents).toMatchObject([
    { name: 'desk' },
    { name: null, problem: { code: 'file-missing' } },
  ]);
  expect(listed.stdout + listed.stderr).not.toContain('loaded');
  expect(listed.code).toBe(1);
  const team = await run(['list', 'desk.ai'], { cwd, env });
  expect([team.code, team.stderr]).toEqual([0, '']);
});

test.each([
  ['waits at its top', plugin("note('told');", 'await new Promise((resolve) => setTimeout(resolve, 1));')],
  ['is written in the older way', undefined],
])('a module that %s is imported without a warning of Node', async (_, module) => {
  const older = `module.exports = () => ({
  name: 'topic',
  getRequirements: () => ({ schema: {}, systemPromptInstructions: 'Say anything.' }),
  onComplete: () => require('node:fs').writeFileSync(__dirname + '/told', ''),
});`;
  const cwd = await deskWith(module ?? plugin(''), { 'older.js': older, 'package.json': '{"type":"commonjs"}' });
  const ended = await ask(cwd, ...(module === undefined ? ['--plugins', 'older.js'] : []));
  expect(ended).toEqual({ code: 0, stdout: 'At nine.\n', stderr: '' });
  expect(await readFile(join(cwd, 'told'), 'utf8')).toBe('');
});
