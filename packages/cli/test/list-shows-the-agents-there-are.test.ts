// `ai-agent list`: every agent on a line, found as `check` finds them; a broken file is on the list too.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';

const described = (description: string, ...more: readonly string[]) =>
  agentFile([`description: ${description}`, 'usage: u', 'output: {format: text}', ...more]);

const team = {
  'desk.ai': described(
    '|\n  Turns facts into texts, for everybody who wants to know what is new.\n  At length.',
    'models: offline/demo, openai/gpt-5.4',
    'agents: parts/note.ai, parts/faq.ai',
  ),
  'parts/note.ai': described('Writes a note', 'toolName: release_note'),
  'parts/faq.ai': described('Writes a FAQ', 'models: offline/demo'),
};

const list = (cwd: string, ...args: readonly string[]) => run(['list', ...args], { cwd });

describe('in a pipe', () => {
  test('aligned, and whole', async () => {
    const cwd = await folderWith(team);
    const { code, stdout, stderr } = await list(cwd);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'NAME          FILE           MODELS                        TEAM               DESCRIPTION',
        'desk          desk.ai        offline/demo, openai/gpt-5.4  release_note, faq  Turns facts into texts, for everybody who wants to know what is new.',
        'release_note  parts/note.ai  (none named)                  -                  Writes a note',
        'faq           parts/faq.ai   offline/demo                  -                  Writes a FAQ',
        '',
      ].join('\n'),
    );
  });

  test('those that nobody names come first', async () => {
    const files = {
      'a-part.ai': described('Helps'),
      'b-alone.ai': described('Runs'),
      'desk.ai': described('Leads', 'handoff: a-part.ai'),
    };
    const { stdout } = await list(await folderWith(files));
    expect(stdout.match(/^[\w-]+/gm)).toEqual(['NAME', 'b-alone', 'desk', 'a-part']);
  });

  test('a file brings its sub-agents; a key says what a file without models runs on', async () => {
    const cwd = await folderWith(team);
    const { stdout } = await run(['list', 'desk.ai'], { cwd, env: { OPENAI_API_KEY: 'sk-nobody' } });
    expect(stdout.match(/^\w+/gm)).toEqual(['NAME', 'desk', 'release_note', 'faq']);
    expect(stdout).toMatch(/^release_note .* openai\/gpt-5\.4 \(none named\) /m);
  });

  test('--json', async () => {
    const cwd = await folderWith(team);
    const { stdout } = await list(cwd, '--json', 'desk.ai');
    expect(JSON.parse(stdout)).toEqual({
      agents: [
        {
          name: 'desk',
          file: join(cwd, 'desk.ai'),
          description: 'Turns facts into texts, for everybody who wants to know what is new.\nAt length.\n',
          models: ['offline/demo', 'openai/gpt-5.4'],
          runsOn: null,
          agents: ['release_note', 'faq'],
          advisors: [],
          router: [],
          handoff: [],
        },
        expect.objectContaining({ name: 'release_note', models: [] }),
        expect.objectContaining({ name: 'faq' }),
      ],
      problems: [expect.objectContaining({ severity: 'warning', code: 'secret-missing' })],
    });
  });

  test('--config and --override hold', async () => {
    const cwd = await folderWith({ ...team, 'other.json': { defaults: { models: 'ollama/qwen3' } } });
    expect((await list(cwd, '--config', 'other.json')).stdout).toMatch(/^release_note .* ollama\/qwen3 /m);
    expect((await list(cwd, '--override', 'models=ollama/a')).stdout).toMatch(/^desk .* ollama\/a /m);
  });
});

describe('on a terminal', () => {
  test('wide letters count twice', async () => {
    const cwd = await folderWith({ 'wide.ai': described('会議の議事録を書きます。'.repeat(4)) });
    const terminal = startInTerminal(['list'], { cwd, columns: 60 });
    expect(await terminal.ended).toBe(0);
    expect(terminal.screen()).toEqual([expect.stringMatching(/^NAME/), expect.stringMatching(/^wide .*会議.*…$/)]);
  });

  test('each agent is one line that fits, and drives nothing', async () => {
    const cwd = await folderWith({ ...team, 'evil.ai': described('"\\e[31mred\\e[2J and \\u202e more"') });
    const terminal = startInTerminal(['list'], { cwd, columns: 70 });
    expect(await terminal.ended).toBe(0);
    const lines = terminal.screen();
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['NAME', 'desk', 'evil', 'release_note', 'faq']);
    expect(lines[1]).toMatch(/^desk {10}desk\.ai .*…$/);
    expect(lines[2]).toMatch(/red/);
    for (const line of lines) expect(line.length).toBeLessThan(70);
    for (const driven of ['\u001b[31m', '\u001b[2J', '\u202e']) expect(terminal.raw()).not.toContain(driven);
  });
});

describe('what is wrong', () => {
  const broken = {
    ...team,
    'bad.ai': described('Bad', 'maxTurn: 3', 'temperature: hot'),
    'above.ai': described('Above', 'agents: bad.ai, parts/faq.ai'),
  };

  test('is listed with the first of it, and so is who needs it; exit 1', async () => {
    const cwd = await folderWith(broken);
    const { code, stdout, stderr } = await list(cwd, 'above.ai');
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^- +above\.ai +- +- +error: in a file that it needs$/m);
    expect(stdout).toMatch(/^- +bad\.ai +- +- +error: line 5: maxTurn: .*maxTurns\?$/m);
    expect(stdout).toMatch(/^faq +parts\/faq\.ai +offline\/demo +- +Writes a FAQ$/m);
    const document = JSON.parse((await list(cwd, '--json', 'above.ai')).stdout);
    expect(document.agents.map((one: { name: string | null }) => one.name)).toEqual([null, null, 'faq']);
    expect(document.agents[1].problem).toMatchObject({ key: 'maxTurn', line: 5 });
  });

  test('outside of the files is said on stderr', async () => {
    const cwd = await folderWith({ ...team, '.ai-agent.json': { defaults: { maxTurns: 'many' } } });
    const { code, stdout, stderr } = await list(cwd);
    expect(code).toBe(1);
    expect(stdout.match(/\n/g)).toHaveLength(4);
    expect(stderr).toMatch(/^\.ai-agent\.json:3: error: defaults\.maxTurns: /);
  });

  test('a path that is not there: exit 4, and the others are listed', async () => {
    const cwd = await folderWith(team);
    const { code, stdout, stderr } = await list(cwd, 'parts', 'dest.ai');
    expect(code).toBe(4);
    expect(stdout).toMatch(/^faq /m);
    expect(stderr).toBe('dest.ai: error: there is no agent at dest.ai; did you mean desk.ai?\n');
  });
});

describe('without arguments', () => {
  test('what "agents" of the configuration names', async () => {
    const cwd = await folderWith({ ...team, '.ai-agent.json': { agents: ['parts/*.ai'] } });
    expect((await list(cwd)).stdout.match(/^\w+/gm)).toEqual(['NAME', 'faq', 'release_note']);
  });

  test('where there is none, how to make one', async () => {
    const cwd = await folderWith({});
    const none = 'There is no agent here. ai-agent init writes one to start from.\n';
    expect(await list(cwd)).toEqual({ code: 0, stdout: '', stderr: none });
    expect(await list(cwd, '--json')).toEqual({ code: 0, stdout: '{"agents":[],"problems":[]}\n', stderr: none });
    expect(await list(cwd, 'home')).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining(none) });
  });
});

test('in a clone, the examples', async () => {
  const { code, stdout } = await list(join(import.meta.dirname, '../../..'), '--json');
  const { agents } = JSON.parse(stdout) as { agents: { file: string }[] };
  expect(code).toBe(0);
  expect(agents.length).toBeGreaterThan(3);
  for (const { file } of agents) expect(file).toMatch(/\/examples\//);
});
