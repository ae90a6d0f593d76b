// What a program reads from the command: the answer, one document, or one event per line; people read stderr.

import { describe, expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const desk = agentFile(['models: local/m'], 'You answer.');

const deskWith = async (script: Parameters<typeof served>[0], frontmatter: readonly string[] = []) => {
  const { baseUrl } = await served(script);
  return folderWith({
    'desk.ai': agentFile(['models: local/m', 'maxRetries: 1', ...frontmatter]),
    '.ai-agent.json': localProvider(baseUrl),
  });
};

const refused = () => ({ fail: { code: 'model-auth' as const } });

const linesOf = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the answer', () => {
  test('is all of stdout; the story is on stderr, without colours in a pipe', async () => {
    const cwd = await deskWith(['Forty-two.']);
    const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd });
    expect([code, stdout]).toEqual([0, 'Forty-two.\n']);
    expect(stderr).toMatch(/session of desk started[\s\S]*FIN total: 1 model call/);
    expect(stderr).not.toContain('\u001b');
  });

  test('quietly, stderr is empty', async () => {
    const cwd = await deskWith(['Forty-two.']);
    expect(await run(['desk.ai', '--quiet', 'hello'], { cwd })).toEqual({
      code: 0,
      stdout: 'Forty-two.\n',
      stderr: '',
    });
  });

  test('of a JSON contract is the report in one line', async () => {
    const cwd = await deskWith(['Here you are: ```json\n{"a": 1}\n```', '{"a": 1}'], ['output: {format: json}']);
    const { stdout } = await run(['desk.ai', '-q', 'hello'], { cwd });
    expect(stdout).toBe('{"a":1}\n');
  });

  test('does not exist when the run failed; quiet or not, stderr says why and what to do', async () => {
    const cwd = await deskWith(refused);
    const { code, stdout, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^failed \(auth\): .+\nWhat to do: .+\n$/);
  });
});

describe('--json', () => {
  const document = async (cwd: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run(['desk.ai', '--json', ...args], { cwd });
    expect(stdout.trimEnd()).not.toContain('\n');
    return { code, stderr, ...(JSON.parse(stdout) as Record<string, unknown>) };
  };

  test('is one document: status, report, ledger, trace and tree', async () => {
    const cwd = await deskWith(['Forty-two.']);
    expect(await document(cwd, 'hello')).toMatchObject({
      code: 0,
      status: 'completed',
      report: 'Forty-two.',
      ledger: {
        total: { modelCalls: 1, inputTokens: 10, outputTokens: 5 },
        byPath: { desk: { modelCalls: 1 } },
        byName: { desk: { modelCalls: 1 } },
      },
      trace: { agentName: 'desk', callPath: 'desk' },
      tree: { status: 'completed', turns: [{ operations: [{ type: 'model' }] }] },
    });
  });

  test('has the failure of a run that failed, and no report', async () => {
    const failed = await document(await deskWith(refused), 'hello');
    expect(failed).toMatchObject({
      code: 2,
      status: 'failed',
      failure: { class: 'auth', message: expect.any(String), remedy: expect.any(String), retryable: false },
      ledger: { total: { modelCalls: 1 } },
      tree: { status: 'failed' },
    });
    expect(failed).not.toHaveProperty('report');
    expect(failed.stderr).toContain('failed (auth): ');
  });

  test('has the question of a run that asks', async () => {
    const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?', choices: ['2024', '2025'] } }] };
    expect(await document(await deskWith([asks], ['ask: person']), 'hello')).toMatchObject({
      code: 6,
      status: 'needs_user_input',
      question: { text: 'Which year?', choices: ['2024', '2025'] },
      resume: expect.any(String),
    });
  });

  test('has the failure of what never began: a file that is wrong, one that is missing, no prompt', async () => {
    const cwd = await folderWith({ 'desk.ai': agentFile(['maxTurns: many', 'modles: a/b']) });
    expect(await document(cwd, 'hello')).toMatchObject({
      code: 1,
      status: 'failed',
      failure: { class: 'config' },
      problems: [
        { key: 'maxTurns', line: 2 },
        { key: 'modles', line: 3 },
      ],
      ledger: null,
      trace: null,
      tree: null,
    });
    const nowhere = await folderWith({});
    expect(await document(nowhere, 'hello')).toMatchObject({ code: 4, status: 'failed', failure: { class: 'usage' } });
    const well = await folderWith({ 'desk.ai': agentFile(['models: offline/demo']) });
    expect(await document(well)).toMatchObject({
      code: 4,
      status: 'failed',
      failure: { class: 'usage', message: 'The prompt is empty: say what you want.' },
      ledger: null,
    });
  });
});

describe('--events', () => {
  test('is every fact and hint, one in a line, the end of the session last, and no answer', async () => {
    const cwd = await deskWith(['one two three']);
    const { code, stdout, stderr } = await run(['desk.ai', '--events', 'hello'], { cwd });
    expect(code).toBe(0);
    const events = linesOf(stdout);
    expect(events.find(({ kind }) => kind === 'fact')).toMatchObject({
      type: 'session-start',
      trace: { agentName: 'desk' },
    });
    expect(events.at(-1)).toMatchObject({ kind: 'fact', type: 'session-end' });
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['fact', 'hint']));
    const deltas = events.filter(({ type }) => type === 'text-delta');
    expect(deltas.map(({ text }) => text).join('')).toBe('one two three');
    expect(stderr).toContain('FIN total');
  });

  test('ends in the same way when the run failed', async () => {
    const { code, stdout, stderr } = await run(['desk.ai', '--events', 'hello'], { cwd: await deskWith(refused) });
    expect(code).toBe(2);
    const events = linesOf(stdout);
    expect(events.at(-1)).toMatchObject({
      type: 'session-end',
      ending: { status: 'failed', failure: { class: 'auth' } },
    });
    expect(stderr).toContain('failed (auth): ');
  });

  test('is nothing when nothing began', async () => {
    const cwd = await folderWith({ 'desk.ai': desk });
    const { code, stdout, stderr } = await run(['desk.ai', '--events', 'hello'], { cwd });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('failed (config): ');
  });
});
