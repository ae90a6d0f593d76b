// `ai-agent <file> --help`: what it is, how to ask it, and a frontmatter with what holds; pasted, it is the same agent.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flags, options, spellingsOf } from '@ai-agent/agents';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runFlags } from '../src/commands/run/run-flags.ts';
import { agentFile, folderWith, run } from './support/command.ts';

const frontmatterOf = (help: string) => /^---\n([\s\S]*?)^---$/m.exec(help)?.[1] ?? '';

const desk = agentFile([
  'description: |',
  '  Plans trips.',
  '  Carefully: "as asked".',
  'usage: plan "two" days in Rome',
  'models: [offline/demo]',
  'agents: child.ai',
  'input: {format: json, schemaRef: question.json}',
  'output: {format: json, schema: {type: object, properties: {plan: {type: string, default: "#none"}}}}',
  'temperature: none',
  'topP: 0.5',
  'llmTimeout: 90s',
  'toolTimeout: 1500',
  'hold: kept',
  'hints: {parallel: 2}',
  'limits: {maxToolTurns: 4}',
  'budget: {tokens: 5000, costUsd: 0.25, time: 2h}',
]);

const files = {
  'desk.ai': desk,
  'child.ai': agentFile(['models: offline/demo', 'description: a child', 'usage: u', 'output: {format: text}']),
  'question.json': { type: 'object' },
};

test('DESCRIPTION, a usage line, every key of the table', async () => {
  const cwd = await folderWith(files);
  const { code, stdout, stderr } = await run(['desk.ai', '--help'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^DESCRIPTION\n {2}Plans trips\.\n {2}Carefully: "as asked"\.\n/);
  expect(stdout).toContain('\nUsage: ai-agent desk.ai "plan \\"two\\" days in Rome"\n');
  const shown = parse(frontmatterOf(stdout));
  for (const { key } of options.filter(({ said }) => said.includes('file'))) {
    const [outer = '', inner] = key.split('.');
    expect(inner === undefined ? shown : shown[outer], key).toHaveProperty([inner ?? outer]);
  }
  expect(shown).toMatchObject({
    temperature: 'none',
    topP: 0.5,
    maxTurns: 5,
    maxOutputTokens: 16_384,
    hold: 'kept',
    budget: { tokens: 5000, costUsd: 0.25 },
  });
});

test('pasted into a new file, it loads, and says the same of itself', async () => {
  const cwd = await folderWith(files);
  const first = (await run(['desk.ai', '-h'], { cwd })).stdout;
  await writeFile(join(cwd, 'copy.ai'), `---\n${frontmatterOf(first)}---\nYou answer.\n`);
  const second = (await run(['help', 'copy.ai'], { cwd })).stdout;
  expect(frontmatterOf(second)).toBe(frontmatterOf(first));
  const checked = await run(['check', 'copy.ai', '--json'], { cwd });
  expect(JSON.parse(checked.stdout)).toMatchObject({ errors: 0, warnings: 0 });
  const asked = await run(['copy.ai', '--json', '{"a": 1}'], { cwd });
  expect(JSON.parse(asked.stdout)).toMatchObject({ status: 'completed', report: { plan: expect.any(String) } });
});

test('that of a file that says nothing loads too', async () => {
  const cwd = await folderWith({ 'bare.ai': 'You answer.' });
  const { stdout } = await run(['bare.ai', '--help'], { cwd });
  expect(stdout).toMatch(/^DESCRIPTION\n {2}\(.*no description.*\)\n\nUsage: ai-agent bare\.ai "/);
  await writeFile(join(cwd, 'copy.ai'), `---\n${frontmatterOf(stdout)}---\nYou answer.\n`);
  expect((await run(['copy.ai', '--models', 'offline/demo', '-q', 'hello'], { cwd })).code).toBe(0);
});

test('defaults of the configuration, flags and overrides show, in their order', async () => {
  const config = { defaults: { maxTurns: 7, temperature: 0.9, maxRetries: 2, llmTimeout: '2m', topP: 0.1 } };
  const cwd = await folderWith({ ...files, '.ai-agent.json': config });
  const args = ['desk.ai', '--help', '--override', 'max-retries=9', '--top-p', '0.7', '--max-retries=4'];
  const shown = parse(frontmatterOf((await run(args, { cwd })).stdout));
  expect(shown).toMatchObject({ maxTurns: 5, temperature: 'none', maxRetries: 9, llmTimeout: '90s', topP: 0.7 });
  const bare = await folderWith({ 'bare.ai': 'You answer.', '.ai-agent.json': config });
  const other = parse(frontmatterOf((await run(['bare.ai', '--help'], { cwd: bare })).stdout));
  expect(other).toMatchObject({ maxTurns: 7, temperature: 0.9, maxRetries: 2, llmTimeout: '2m' });
});

test('no key is needed to read it', async () => {
  const config = {
    providers: { mine: { type: 'openai-compatible', baseUrl: 'http://x.example', apiKey: `$\{NO_KEY}` } },
  };
  const cwd = await folderWith({
    'desk.ai': agentFile(['description: Mine', 'models: openai/gpt-5, mine/m', 'workspace: true']),
    '.ai-agent.json': config,
  });
  const { code, stdout, stderr } = await run(['desk.ai', '--help'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(parse(frontmatterOf(stdout))).toMatchObject({ models: ['openai/gpt-5', 'mine/m'], workspace: true });
});

describe('the flags of a run', () => {
  test('run --help has every flag of the table, and no other', async () => {
    const { code, stdout } = await run(['run', '--help'], { cwd: await folderWith({}) });
    expect(code).toBe(0);
    const shown = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map((match) => match[1]);
    const own = [...runFlags.map(({ names: [name] }) => name), '--config', '--override', '--help'];
    const aliases = [...flags].filter(([flag, option]) => flag !== spellingsOf(option)[0]).map(([flag]) => flag);
    expect(new Set([...shown, ...aliases])).toEqual(new Set([...own, ...flags.keys()]));
  });

  test('each is taken', async () => {
    const cwd = await folderWith({ 'bare.ai': 'You answer.', 'child.ai': files['child.ai'] });
    const values: Readonly<Record<string, string>> = {
      agents: 'child.ai',
      models: 'offline/demo',
      ask: 'caller',
      hold: 'fresh',
      reasoning: 'none',
      caching: 'none',
      cache: 'off',
      tools: '',
      advisors: '',
      handoff: '',
      plugins: '',
      toolResponseMaxBytes: '300',
    };
    const given = [...flags].map(([flag, { key, isSwitch }]) => (isSwitch ? flag : `${flag}=${values[key] ?? '1'}`));
    const { code, stderr } = await run(['bare.ai', '--help', ...given], { cwd });
    expect([code, stderr]).toEqual([0, '']);
  });
});
