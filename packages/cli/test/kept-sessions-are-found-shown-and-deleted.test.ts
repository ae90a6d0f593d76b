// The promise: `ai-agent sessions` finds what is kept by whom, when and how it ended, shows and exports all of it, and deletes what it is told to.

import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionHead } from '@ai-agent/core';
import { openStore } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { headsIn, storeIn } from './support/kept.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const hour = 3_600_000;

function headOf(id: string, more: Partial<SessionHead> = {}): SessionHead {
  const known = { agent: 'desk', owner: '@terminal', headend: 'terminal', isDetached: false, facts: 0, resumptions: 0 };
  const createdAt = more.createdAt ?? Date.now() - hour;
  return { id, ...known, status: 'completed', createdAt, endedAt: createdAt + 1_500, title: `about ${id}`, ...more };
}

async function shelf(...heads: readonly SessionHead[]): Promise<string> {
  // Some of them are older than what is kept as a rule.
  const cwd = await folderWith({ '.ai-agent.json': { store: { maxAge: '30y' } } });
  mkdirSync(dirname(storeIn(cwd)), { mode: 0o700 });
  const store = await openStore(storeIn(cwd), { retention: { maxAgeMs: 30 * 365 * 24 * hour } });
  for (const head of heads) await store.put(head);
  await store.close();
  return cwd;
}

const some = [
  headOf('aaaa1111', { createdAt: Date.parse('2026-01-31T12:00Z'), endedAt: Date.parse('2026-01-31T12:01Z') }),
  headOf('aaaa2222', { agent: 'other', status: 'failed', createdAt: Date.now() - 50 * hour }),
  headOf('bbbb3333', { owner: 'website', user: 'anna', headend: 'rest', createdAt: Date.now() - 3 * hour }),
  headOf('cccc4444', { owner: null, headend: 'mcp', status: 'partial', createdAt: Date.now() - 2 * hour }),
];

const filters: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['since yesterday', ['--since', 'yesterday', '--until', '2.5h'], ['bbbb3333']],
  ['all, the newest first', [], ['cccc4444', 'bbbb3333', 'aaaa2222', 'aaaa1111']],
  ['an agent', ['--agent', 'other'], ['aaaa2222']],
  ['how they ended', ['--status', 'failed,partial'], ['cccc4444', 'aaaa2222']],
  ['since some hours', ['--since', '2.5h'], ['cccc4444']],
  ['since some days', ['--since', '3d'], ['cccc4444', 'bbbb3333', 'aaaa2222']],
  ['days', ['--since', '2026-01-30', '--until', '2026-02-02'], ['aaaa1111']],
  ['moments', ['--since', '2026-01-31T11:59Z', '--until', '2026-01-31T12:01Z'], ['aaaa1111']],
  ['a key', ['--owner', 'website'], ['bbbb3333']],
  ['no key', ['--owner', 'none'], ['cccc4444']],
  ['a user', ['--user', 'anna'], ['bbbb3333']],
  ['a headend', ['--headend', 'terminal'], ['aaaa2222', 'aaaa1111']],
  ['so many', ['--limit', '2'], ['cccc4444', 'bbbb3333']],
];

test('filters', { timeout: 60_000 }, async () => {
  const cwd = await shelf(...some);
  for (const [what, flags, ids] of filters) {
    const { code, stdout } = await run(['sessions', 'list', '--json', ...flags], { cwd });
    expect([what, code, JSON.parse(stdout).sessions.map(({ id }: SessionHead) => id)]).toEqual([what, 0, ids]);
  }
});

test('a table for people, one line each, whatever a title says', async () => {
  const cwd = await shelf(
    ...some,
    headOf('dddd5555', { title: '\u001b[31mred\u001b[0m\nnext', createdAt: Date.now() }),
  );
  const { stdout, stderr } = await run(['sessions', 'list', '--limit', '4'], { cwd });
  expect((await run(['sessions', '--limit', '4'], { cwd })).stdout).toBe(stdout);
  const [titles, first, ...rest] = stdout.trimEnd().split('\n');
  expect(titles).toMatch(/^ID +BEGUN +AGENT +STATUS +ROUNDS +TIME +TOKENS +COST +TITLE$/);
  expect(first).toMatch(/^dddd5555 .* completed +1 +1\.5 s +- +- +/);
  expect(rest).toHaveLength(3);
  expect(stdout).not.toContain('\u001b');
  expect(stderr).toContain('--all shows all');
  const terminal = startInTerminal(['sessions', 'list'], { cwd, columns: 80 });
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw()).not.toContain('\u001b[31m');
});

test('in a narrow window ids, times and statuses stay whole; in a pipe no title is a page', async () => {
  const title = 'Plan the move of the whole office, '.repeat(5);
  const cwd = await shelf(headOf('abcdefghijklmnopqrstuvwxyz', { status: 'completed', title, resumptions: 2 }));
  const terminal = startInTerminal(['sessions', 'list'], { cwd, columns: 80 });
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw()).toMatch(/abcdefghij +\d{4}-\d\d-\d\d \d\d:\d\d +desk +completed +.*Plan the move of/);
  const [, row] = (await run(['sessions', 'list'], { cwd })).stdout.split('\n');
  expect(row).toContain('Plan the move of the whole office');
  expect(row?.length).toBeLessThan(180);
  const { stdout } = await run(['sessions', 'export', 'abcd', '--format', 'markdown'], { cwd });
  expect(stdout.split('\n')[0]?.length).toBeLessThan(90);
});

test('nothing is kept yet, and that is fine', async () => {
  const cwd = await folderWith({});
  expect(await run(['sessions', 'list'], { cwd })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('No session is kept'),
  });
  expect(JSON.parse((await run(['sessions', 'list', '--json'], { cwd })).stdout)).toEqual({
    sessions: [],
    isMore: false,
  });
  expect((await run(['sessions', 'show', 'abcd'], { cwd })).code).toBe(4);
  expect(existsSync(storeIn(cwd))).toBe(false);
});

test('the beginning of an id is enough; of several it says which', async () => {
  const cwd = await shelf(...some);
  expect((await run(['sessions', 'show', 'bbbb'], { cwd })).stdout).toContain('website for anna, through rest');
  expect((await run(['sessions', 'show', 'cccc'], { cwd })).stdout).toMatch(/^belongs to {2}none, through mcp$/m);
  const several = await run(['sessions', 'show', 'aaaa'], { cwd });
  expect(several).toMatchObject({ code: 4, stdout: '' });
  expect(several.stderr).toMatch(/may be several sessions: aaaa2222 .*; aaaa1111 /);
  const unknown = await run(['sessions', 'show', 'zzzz'], { cwd });
  expect(unknown.code).toBe(4);
  expect(unknown.stderr).toContain(`There is no session "zzzz" in ${storeIn(cwd)}. The last ones: cccc4444`);
});

const misuses: readonly (readonly [readonly string[], string])[] = [
  [['shoe'], '"shoe" is none of them'],
  [['list', '--status', 'complete'], 'Did you mean completed?'],
  [['list', '--headend', 'terminl'], 'Did you mean terminal?'],
  [['list', '--headend', 'foo'], 'It is one of terminal, library, rest'],
  [['list', '--since', 'soon'], '--since must be a time'],
  [['list', '--limit', '0'], '--limit must be a whole number'],
  [['list', '--answer', 'x'], 'sessions list has no option --answer'],
  [['show'], 'Which session?'],
  [['delete'], 'Which sessions?'],
  [['delete', 'aaaa1111', '--agent', 'desk'], 'not both'],
  [['delete', '--agent', 'desk'], 'Say --yes to do it.'],
  [['export', 'aaaa1111', '--format', 'pdf'], '--format is json or markdown'],
  [['resume', 'bbbb3333', 'hello'], 'name the file of desk with --agent-file'],
];

test('what cannot be done is said', { timeout: 60_000 }, async () => {
  const cwd = await shelf(...some);
  for (const [args, sentence] of misuses) {
    const { code, stdout, stderr } = await run(['sessions', ...args], { cwd });
    expect([args, code, stdout]).toEqual([args, 4, '']);
    expect(stderr).toContain(sentence);
  }
  expect(await headsIn(cwd)).toHaveLength(4);
});

test('deleted: by id, by filter with --yes, or asked at the terminal', async () => {
  const cwd = await shelf(...some, headOf('eeee6666'), headOf('eeee7777'));
  expect((await run(['sessions', 'delete', 'bbbb', 'cccc4444'], { cwd })).stderr).toContain('2 sessions are deleted.');
  const old = await run(['sessions', 'delete', '--older-than', '1d', '--yes', '--json'], { cwd });
  expect(JSON.parse(old.stdout)).toEqual({ deleted: ['aaaa2222', 'aaaa1111'], left: [] });
  const no = startInTerminal(['sessions', 'delete', '--all'], { cwd });
  await no.shows('Delete 2 sessions for good? [yes/no]');
  no.type('no\r');
  expect(await no.ended).toBe(1);
  const away = startInTerminal(['sessions', 'delete', '--all'], { cwd });
  await away.shows('[yes/no]');
  away.type('\u0003');
  expect(await away.ended).toBe(130);
  expect(await headsIn(cwd)).toHaveLength(2);
  const yes = startInTerminal(['sessions', 'delete', '--all'], { cwd });
  await yes.shows('[yes/no]');
  yes.type('yes\r');
  expect(await yes.ended).toBe(0);
  expect(await headsIn(cwd)).toEqual([]);
  expect((await run(['sessions', 'list'], { cwd })).stderr).toMatch(/^No session is kept in \S+\.\n$/);
});

async function team() {
  const model = await served((request) => {
    if (request.system.includes('You help')) return 'helped';
    return resultsIn(request).length > 0 ? 'All is done.' : { calls: [call('agent__helper', { text: 'go' })] };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: helper.ai'], 'You are the desk.'),
    'helper.ai': agentFile(['models: local/m', 'description: helps'], 'You help.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  await run(['desk.ai', 'Do it'], { cwd });
  const [head] = await headsIn(cwd);
  return { cwd, id: head?.id ?? '' };
}

test('show has the tree with times, the answer and the figures; what nobody knows the price of is unknown', async () => {
  const { cwd, id } = await team();
  const { stdout } = await run(['sessions', 'show', id], { cwd });
  expect(stdout).toMatch(/^session +\w+\nagent +desk \(.*desk\.ai\)\nstatus +completed\n/);
  expect(stdout).toMatch(
    /desk: completed, 45 tokens, cost unknown, \d+\.\d s\n`- 1\. helper.*: completed, 15 tokens, cost unknown/,
  );
  expect(stdout).toContain('\nAll is done.\n');
  expect(stdout).toMatch(/^total +2 +3 +1 .* unknown /m);
  expect(stdout).not.toContain('FIN');
  const tree = await run(['sessions', 'tree', id], { cwd });
  expect(tree.stdout.match(/model local\/m: 10 in \+ 5 out tokens/g)).toHaveLength(3);
  const document = JSON.parse((await run(['sessions', 'show', id, '--json'], { cwd })).stdout);
  expect(document).toMatchObject({
    id,
    status: 'completed',
    text: 'All is done.',
    rounds: 1,
    tree: { type: 'session' },
  });
});

test('export has every fact as JSON, or what was said as Markdown, in a file that nobody else reads', async () => {
  const { cwd, id } = await team();
  const whole = JSON.parse((await run(['sessions', 'export', id], { cwd })).stdout);
  expect(whole).toMatchObject({ format: 'ai-agent-session', version: 1, head: { id } });
  expect(whole.facts).toHaveLength(whole.head.facts);
  const args = ['sessions', 'export', id, '--format', 'markdown', '--output', 'talk.md'];
  expect((await run(args, { cwd })).code).toBe(0);
  const text = readFileSync(join(cwd, 'talk.md'), 'utf8');
  expect(text).toContain('## You\n\nDo it\n');
  expect(text).toContain('## desk\n\nAll is done.\n');
  expect(statSync(join(cwd, 'talk.md')).mode & 0o777).toBe(0o600);
  expect((await run(args, { cwd })).stderr).toContain('There is a file');
  expect((await run([...args, '--yes'], { cwd })).code).toBe(0);
  expect((await run(['sessions', 'export', id, '-o', 'other.MD'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'other.MD'), 'utf8')).toBe(text);
  await run(['sessions', 'export', id, '-o', 'kept.txt'], { cwd });
  expect(JSON.parse(readFileSync(join(cwd, 'kept.txt'), 'utf8'))).toEqual(whole);
  const inFolder = await run(['sessions', 'export', id, '-o', 'home'], { cwd });
  expect([inFolder.code, inFolder.stderr]).toEqual([0, `The session ${id} is in home/${id}.json.\n`]);
  await run(['sessions', 'export', id, '-o', '.', '--format', 'markdown'], { cwd });
  expect(readFileSync(join(cwd, `${id}.md`), 'utf8')).toBe(text);
});
