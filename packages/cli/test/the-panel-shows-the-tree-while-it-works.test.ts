// A run on a real terminal: a line per session while it works, the answer below, what it used at the end.

import type { ServerResponse } from 'node:http';
import { stripVTControlCharacters } from 'node:util';
import type { Step } from '@ai-agent/cli/testing';
import { describe, expect, test } from 'vitest';
import { call } from './support/calls.ts';
import { agentFile, command, folderWith, localProvider, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { listening, served, streamed } from './support/served.ts';

const control = '\u001b';
const bell = '\u0007';

/** A lead with two researchers at once; the second asks a source. Each of their replies waits until it is let go. */
async function team() {
  const gates = new Map<string, () => void>();
  const gate = (name: string) => new Promise<void>((resolve) => gates.set(name, resolve));
  const model = await served(({ system, messages }) => {
    const who = /You are (\w+)/.exec(system)?.[1] ?? '';
    const said = JSON.stringify(messages);
    if (who === 'lead')
      return said.includes('"tool"')
        ? 'Both agree.'
        : {
            calls: [
              call('agent__researcher', { text: 'prices', reason: 'Compare prices' }),
              call('agent__researcher', { text: 'fog', reason: 'Fog in harbours' }),
            ],
          };
    if (who === 'researcher' && said.includes('fog') && !said.includes('"tool"'))
      return { calls: [call('agent__source', { text: 'log', reason: 'Read the logbook' })] };
    return { text: `what ${who} found`, until: gate(who === 'source' ? who : said.includes('fog') ? 'fog' : 'prices') };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: researcher.ai'], 'You are lead.'),
    'researcher.ai': agentFile(['models: local/m', 'description: r', 'agents: source.ai'], 'You are researcher.'),
    'source.ai': agentFile(['models: local/m', 'description: s'], 'You are source.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return { model, cwd, letGo: (name: string) => gates.get(name)?.() };
}

describe('nested sub-agents in parallel', () => {
  test('each has a line with its title and what it does; what is over stays; the answer comes below', async () => {
    const { cwd, letGo } = await team();
    const terminal = startInTerminal(['lead.ai', 'Ferries'], { cwd });
    await terminal.shows(/source {2}Read the logbook .*turn 1 · thinking/);
    const [lead = '', first = '', second = '', below = ''] = terminal.screen();
    expect(lead).toMatch(/^● lead .* turn 1 · waits for 2 · \d+ tokens · \d+\.\d s$/);
    expect(first).toMatch(/^├─ \S researcher\[1\] {2}Compare prices .* turn 1 · thinking · \d+\.\d s$/);
    expect(second).toMatch(
      /^└─ ● researcher\[2\] {2}Fog in harbours .* turn 1 · waits for 1 · \d+ tokens · \d+\.\d s$/,
    );
    expect(below).toMatch(/^ {3}└─ \S source {2}Read the logbook .* turn 1 · thinking · \d+\.\d s$/);

    letGo('prices');
    await terminal.shows(/├─ ✓ researcher\[1\] {2}Compare prices .* 1 turn · \d+ tokens/);
    letGo('source');
    await terminal.shows(/└─ ✓ source/);
    await terminal.shows(/researcher\[2\].* turn 2 · thinking/);
    letGo('fog');
    expect(await terminal.ended).toBe(0);
    const seen = terminal.history();
    expect(seen.slice(0, 6)).toEqual([
      expect.stringMatching(/^▾ lead .*turn 2/),
      expect.stringMatching(/^├─ ✓ researcher\[1\]/),
      expect.stringMatching(/^└─ ✓ researcher\[2\] .*2 turns/),
      expect.stringMatching(/^ {3}└─ ✓ source/),
      '',
      'Both agree.',
    ]);
  });

  test('at the end a table has a row per agent name, and the total', async () => {
    const { cwd, letGo } = await team();
    const terminal = startInTerminal(['lead.ai', 'Ferries'], { cwd });
    await terminal.shows('source');
    for (const name of ['prices', 'source']) letGo(name);
    await terminal.shows(/researcher\[2\].* turn 2 · thinking/);
    letGo('fog');
    await terminal.ended;
    const [head = '', ...rows] = terminal.history().slice(7);
    expect(rows.pop()).toMatch(/^session \w{26}$/);
    expect(head).toMatch(/^agent +runs +calls +tools +in +out +cost +time$/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
      ['lead', '1', '2', '2'],
      ['researcher', '2', '3', '1'],
      ['source', '1', '1', '0'],
      ['total', '4', '6', '3'],
    ]);
    expect(rows.at(-1)).toMatch(/unknown +\d+\.\d s$/);
  });

  test('a window that gets narrower and wider leaves one tree, whole', async () => {
    const { cwd, letGo } = await team();
    const terminal = startInTerminal(['lead.ai', 'Ferries'], { cwd, columns: 110, rows: 20 });
    await terminal.shows('source');
    for (const [columns, rows] of [
      [44, 20],
      [30, 12],
      [90, 24],
    ] as const) {
      terminal.resize(columns, rows);
      await expect
        .poll(() => terminal.screen().filter((line) => /lead|researcher|source/.test(line)), { timeout: 5_000 })
        .toEqual([
          expect.stringMatching(/^● lead .*\d+\.\d s$/),
          expect.stringMatching(/^├─ \S researcher\[1\].*\d+\.\d s$/),
          expect.stringMatching(/^└─ ● researcher\[2\].*\d+\.\d s$/),
          expect.stringMatching(/^ {3}└─ \S source.*\d+\.\d s$/),
        ]);
      for (const line of terminal.screen()) expect(line.length).toBeLessThan(columns);
    }
    for (const name of ['prices', 'source']) letGo(name);
    await terminal.shows(/✓ source/);
    await terminal.shows(/researcher\[2\].* turn 2/);
    letGo('fog');
    expect(await terminal.ended).toBe(0);
    expect(terminal.history().filter((line) => line.includes('source'))).toHaveLength(2);
  });
});

test('many sub-agents are folded to the height of the window, and what failed stays', async () => {
  const many = Array.from({ length: 20 }, (_, i) => call('agent__worker', { text: `job ${i}`, reason: `Job ${i}` }));
  const model = await served(({ system, messages }) => {
    if (!system.includes('worker')) return JSON.stringify(messages).includes('"tool"') ? 'Done.' : { calls: many };
    const isBad = JSON.stringify(messages).includes('job 3"');
    if (isBad) return { fail: { code: 'model-auth' as const } };
    return { text: 'ok', latencyMs: JSON.stringify(messages).includes('job 19') ? 1_500 : 0 };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: worker.ai', 'maxToolCallsPerTurn: 30', 'maxParallel: 4']),
    'worker.ai': agentFile(['models: local/m', 'description: w', 'maxRetries: 1'], 'You are a worker.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const terminal = startInTerminal(['lead.ai', 'go'], { cwd, rows: 12 });
  await terminal.shows(/✓ 18 done {2}worker ×18 .*tokens/);
  expect(terminal.screen().length).toBeLessThanOrEqual(11);
  expect(terminal.screen().join('\n')).toMatch(/✗ worker\[4\].*failed \(auth\)/);
  expect(terminal.screen().join('\n')).toMatch(/\S worker\[20\] {2}Job 19/);
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().filter((line) => /✓ worker\[/.test(line)).length).toBe(19);
});

describe('the answer', () => {
  const desk = agentFile(['models: local/m']);

  test('is written while it comes, once, and is all of stdout', async () => {
    const letGo = Promise.withResolvers<void>();
    const { url } = await listening((_, response) => inTwoHalves(response, letGo.promise));
    const cwd = await folderWith({ 'desk.ai': desk, '.ai-agent.json': localProvider(url) });
    const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
    await terminal.shows(/^First half, ?$/m);
    letGo.resolve();
    expect(await terminal.ended).toBe(0);
    expect(terminal.history().join('\n').match(/half/g)).toHaveLength(2);
    expect(terminal.history()).toContain('First half, second half.');
  });

  test('what is said on the way to a call stays above, and the panel goes on below', async () => {
    const cwd = await deskAndChild({
      text: 'Let me ask.',
      calls: [call('agent__child', { text: 'x', reason: 'Ask it' })],
    });
    const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
    await terminal.shows(/child {2}Ask it .*thinking/);
    expect(await terminal.ended).toBe(0);
    const seen = terminal.history().filter((line) => line !== '');
    expect(seen.slice(0, 5)).toEqual([
      expect.stringMatching(/^▾ desk/),
      'Let me ask.',
      expect.stringMatching(/^▾ desk/),
      expect.stringMatching(/^└─ ✓ child {2}Ask it/),
      'The end.',
    ]);
  });

  test('of a child is never mixed in', async () => {
    const model = await served(({ messages, system }) => {
      if (system.includes('child')) return 'a secret of the nursery';
      return JSON.stringify(messages).includes('"tool"')
        ? 'The end.'
        : { calls: [call('agent__child', { text: 'x', reason: 'Ask it' })] };
    });
    const cwd = await folderWith({
      'desk.ai': agentFile(['models: local/m', 'agents: child.ai']),
      'child.ai': agentFile(['models: local/m', 'description: c'], 'You are a child.'),
      '.ai-agent.json': localProvider(model.baseUrl),
    });
    const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).not.toContain('nursery');
    expect(terminal.history()).toContain('The end.');
  });

  test('drives nothing: titles, colours, cursors and bells of a model do not reach the terminal, in pieces neither', async () => {
    const pieces = ['\u001b', ']0;evil', ' title\u0007', 'a\u001b[2', 'Jb\u001b[3', '1mc\u009b5A', 'd\u0007e\r', '\nf'];
    const { url } = await listening((_, response) => streamed(response, pieces));
    const cwd = await folderWith({ 'desk.ai': desk, '.ai-agent.json': localProvider(url) });
    const terminal = startInTerminal(['desk.ai', 'hello'], { cwd, env: { NO_COLOR: '1' } });
    expect(await terminal.ended).toBe(0);
    for (const bad of ['evil', `${control}[31m`, `${control}[2J`, bell, '\u009b'])
      expect(terminal.raw()).not.toContain(bad);
    expect(terminal.history().join('\n')).toContain('\nabcde\nf\n');
  });

  test('titles and names of models drive nothing either, and wide letters keep their columns', async () => {
    const reason = 'Zwölf 日本語の港 \u001b[31mred\u001b]0;evil\u0007 👩‍👩‍👧 end '.repeat(4);
    const cwd = await deskAndChild({ calls: [{ name: 'agent__child', input: { text: 'x', reason } }] });
    const terminal = startInTerminal(['desk.ai', 'hello'], { cwd, columns: 70, env: { NO_COLOR: '1' } });
    await terminal.shows(/child {2}Zwölf 日本語の港/);
    expect(terminal.screen().filter((line) => line.includes('child'))).toHaveLength(1);
    expect(await terminal.ended).toBe(0);
    for (const bad of [`${control}[31m`, `${control}]0`, bell]) expect(terminal.raw()).not.toContain(bad);
  });
});

test('documents and events on a terminal spell out what would drive it', async () => {
  const { url } = await listening((_, response) => streamed(response, ['a\u009b5Ab\u202ec']));
  const hostile = agentFile(['models: local/m', '"k\u009b5A": 1']);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    'bad.ai': hostile,
    '.ai-agent.json': localProvider(url),
  });
  for (const [args, spelt] of [
    [['desk.ai', 'hello', '--json'], 'a\\u009b5Ab\\u202ec'],
    [['desk.ai', 'hello', '--events'], 'a\\u009b5Ab\\u202ec'],
    [['check', 'bad.ai', '--json'], 'k\\u009b5A'],
    [['list', 'bad.ai', '--json'], 'k\\u009b5A'],
    [['tools', 'bad.ai', '--json'], 'k\\u009b5A'],
  ] as const) {
    const terminal = startInTerminal(args, { cwd, columns: 20_000 });
    await terminal.ended;
    expect(terminal.raw()).toContain(spelt);
    expect(terminal.raw()).not.toMatch(/[\u0080-\u009f\u202e]/);
  }
});

describe('how much is shown', () => {
  const start = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const model = await served(['Forty-two.']);
    const cwd = await folderWith({
      'desk.ai': agentFile(['models: local/m']),
      '.ai-agent.json': localProvider(model.baseUrl),
    });
    const terminal = startInTerminal(['desk.ai', 'hello', ...args], { cwd, env });
    expect(await terminal.ended).toBe(0);
    return terminal;
  };

  test('--quiet is the answer alone, written while it comes', async () => {
    expect((await start(['--quiet'])).raw()).toBe('Forty-two.\r\n');
    const letGo = Promise.withResolvers<void>();
    const { url } = await listening((_, response) => inTwoHalves(response, letGo.promise));
    const cwd = await folderWith({ 'desk.ai': agentFile(['models: local/m']), '.ai-agent.json': localProvider(url) });
    const terminal = startInTerminal(['desk.ai', 'hello', '-q'], { cwd });
    await terminal.shows(/^First half, ?$/);
    letGo.resolve();
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).toBe('First half, second half.\r\n');
  });

  test('--verbose tells every step above the tree', async () => {
    const seen = (await start(['--verbose'])).history().join('\n');
    expect(seen).toMatch(/debug turn 1 started[\s\S]*info model local\/m took[\s\S]*debug turn 1 ended/);
    expect(seen).toContain('Forty-two.');
  });

  test('--show-tree draws every turn and call at the end', async () => {
    const seen = (await start(['--show-tree'])).history().join('\n');
    expect(seen).toMatch(/desk: completed, \d+ tokens, .*\n`- 1\. model local\/m: \d+ in \+ \d+ out tokens/);
  });

  test('NO_COLOR and a dumb terminal have no colours; a dumb one no movement at all', async () => {
    expect((await start([])).raw()).toContain(`${control}[1m`);
    const plain = (await start([], { NO_COLOR: '1' })).raw();
    for (const colour of ['0', '1', '2', '32', '36']) expect(plain).not.toContain(`${control}[${colour}m`);
    const dumb = await start([], { TERM: 'dumb' });
    expect(dumb.raw()).not.toContain('\u001b');
    expect(stripVTControlCharacters(dumb.raw())).toMatch(/session of desk started/);
  });

  test('nothing is cleared from the top of the screen: some terminals would keep every drawing', async () => {
    expect((await start([])).raw()).not.toMatch(/A\r.\[J/s);
  });

  test('titles in scripts whose marks take room of their own leave one tree', async () => {
    const reason = 'बाज़ार की कीमतें और समाचार की जाँच करना '.repeat(3);
    const cwd = await deskAndChild({ calls: [{ name: 'agent__child', input: { text: 'x', reason } }] });
    const terminal = startInTerminal(['desk.ai', 'hello'], { cwd, columns: 80 });
    expect(await terminal.ended).toBe(0);
    expect(terminal.history().filter((line) => line.includes('─ ✓ child') || line.includes('desk'))).toHaveLength(3);
  });

  test('Ctrl-Z leaves the terminal to the shell, with its cursor; back again, the panel is drawn anew', async () => {
    const model = await served([{ text: 'Forty-two.', latencyMs: 2_000 }]);
    const cwd = await folderWith({
      'desk.ai': agentFile(['models: local/m']),
      '.ai-agent.json': localProvider(model.baseUrl),
    });
    const terminal = startInTerminal(['-i', '-c', `set -m; ${command} desk.ai hello; echo stopped; fg`], {
      cwd,
      program: '/bin/bash',
      env: { PS1: '$ ' },
    });
    await terminal.shows(/desk .*thinking/);
    terminal.type('\u001a');
    await terminal.shows('stopped');
    const before = terminal.raw().slice(0, terminal.raw().indexOf('stopped\r'));
    expect(before.lastIndexOf(`${control}[?25h`)).toBeGreaterThan(before.lastIndexOf(`${control}[?25l`));
    await terminal.shows('Forty-two.');
    await terminal.ended;
    expect(terminal.history().some((line) => line.includes('stopped'))).toBe(true);
  });

  test('the cursor is hidden and lines are not wrapped while it draws; both are as they were at the end', async () => {
    const terminal = startInTerminal(['demo'], { cwd: await folderWith({}) });
    expect(await terminal.ended).toBe(0);
    const raw = terminal.raw();
    for (const [during, after] of [
      ['[?25l', '[?25h'],
      ['[?7l', '[?7h'],
    ] as const) {
      expect(raw).toContain(during);
      expect(raw.lastIndexOf(after)).toBeGreaterThan(raw.lastIndexOf(during));
    }
  });
});

test('in a pipe there are lines with child:, the name and the id of the run, and no control sequences', async () => {
  const { cwd, letGo, model } = await team();
  const ended = run(['lead.ai', 'Ferries', '--show-tree'], { cwd });
  await expect.poll(() => [model.requests.length, model.inFlight], { timeout: 10_000 }).toEqual([4, 2]);
  for (const name of ['prices', 'source']) letGo(name);
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(5);
  letGo('fog');
  const { stdout, stderr } = await ended;
  expect(stdout).toBe('Both agree.\n');
  const id = /^lead (\w+) /m.exec(stderr)?.[1];
  expect(stderr).toMatch(new RegExp(`^child:researcher\\[1\\] ${id}~1\\.1 .*Compare prices`, 'm'));
  expect(stderr).toMatch(new RegExp(`^child:source ${id}~1\\.2~1\\.1 .*Read the logbook`, 'm'));
  expect(stderr).toMatch(/^FIN total: 6 model calls, 3 tool calls/m);
  expect(stderr).toMatch(/^\|- 1\. researcher\[1\] "Compare prices": completed/m);
  expect(stderr).not.toContain('\u001b');
});

test('quietly, a sub-agent that failed is still told', async () => {
  const model = await served(({ messages, system }) => {
    if (system.includes('child')) return { fail: { code: 'model-auth' as const } };
    return JSON.stringify(messages).includes('"tool"')
      ? 'Without it.'
      : { calls: [call('agent__child', { text: 'x' })] };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: child.ai']),
    'child.ai': agentFile(['models: local/m', 'description: c', 'maxRetries: 1'], 'You are a child.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const { code, stdout, stderr } = await run(['desk.ai', '-q', 'hello'], { cwd });
  expect([code, stdout]).toEqual([0, 'Without it.\n']);
  expect(stderr).toMatch(
    /^child:child \S+ \S+ error session ended as failed after \d+ ms \(auth\): .*\nincomplete: desk:child \(r\) failed \(auth\): .*\n$/,
  );
});

/** An answer whose second half waits. */
async function inTwoHalves(response: ServerResponse, letGo: Promise<void>): Promise<void> {
  const event = (choice: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(event({ delta: { content: 'First half, ' } }));
  await letGo;
  response.write(event({ delta: { content: 'second half.' } }));
  response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
}

/** A desk that asks its child first, and a child that takes a while. */
async function deskAndChild(first: Step): Promise<string> {
  const model = await served(({ messages, system }) => {
    if (system.includes('child')) return { text: 'found', latencyMs: 700 };
    return JSON.stringify(messages).includes('"tool"') ? 'The end.' : first;
  });
  return folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: child.ai']),
    'child.ai': agentFile(['models: local/m', 'description: c'], 'You are a child.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
}
