// The promise: while a team works on one request, and after it, the screen and the lines tell advisors, destinations and handoffs from sub-agents.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelRequest } from '@ai-agent/cli';
import { type Agent, AIAgentSession, asPartner } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Activity } from '../src/render/activity.ts';
import { drawOpTree } from '../src/render/op-tree.ts';
import { toItem } from '../src/render/panel-item.ts';
import { toLines } from '../src/render/panel-lines.ts';
import { call } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const nameIn = ({ system }: ModelRequest) => /^You are (\w+)\./.exec(system)?.[1] ?? '';

const member = (name: string, ...lines: readonly string[]) =>
  agentFile(['models: local/m', ...lines], `You are ${name}.`);

/** Everybody waits until let go; the desk asks its clerk, then hands over to billing, and the editor has the last word. */
async function team() {
  const gates = new Map<string, () => void>();
  const model = await served((request) => {
    const name = nameIn(request);
    const until = new Promise<void>((resolve) => gates.set(name, resolve));
    if (name !== 'desk') return { text: `${name} speaks`, until };
    if (!JSON.stringify(request.messages).includes('"tool"'))
      return { calls: [call('agent__clerk', { text: 'file', reason: 'Find the file' })], until };
    return { calls: [{ name: 'router__handoff-to', input: { agent: 'billing' } }] };
  });
  const cwd = await folderWith({
    'desk.ai': member(
      'desk',
      'agents: clerk.ai',
      'advisors: law.ai, money.ai',
      'router: { destinations: billing.ai }',
      'handoff: editor.ai',
    ),
    'clerk.ai': member('clerk', 'description: Knows where files are'),
    'law.ai': member('law'),
    'money.ai': member('money'),
    'billing.ai': member('billing', 'description: Invoices'),
    'editor.ai': member('editor'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const letGo = async (name: string) => {
    await expect.poll(() => gates.has(name), { timeout: 10_000, interval: 10 }).toBe(true);
    gates.get(name)?.();
  };
  return { cwd, letGo };
}

test('on a terminal each has its line, and the one that waits says for whom', async () => {
  const { cwd, letGo } = await team();
  const terminal = startInTerminal(['desk.ai', 'Is it paid?', '--show-tree'], { cwd });
  const seen = (from: number) => terminal.screen().slice(from).map(withoutFigures);

  await terminal.shows(/money .*thinking/);
  expect(seen(0)).toEqual(['● desk waits for 2 advisors', '├─ advisor law thinking', '└─ advisor money thinking']);
  await letGo('law');
  await terminal.shows(/desk .*waits for 1 advisor/);
  expect(seen(1)).toEqual(['├─ ✓ advisor law', '└─ advisor money thinking']);
  await letGo('money');
  await letGo('desk');
  await terminal.shows(/desk .*turn 1 · waits for 1 ·/);
  await letGo('clerk');
  await terminal.shows(/desk .*turn 2 · handed over to billing/);
  await letGo('billing');
  await terminal.shows(/desk .*turn 2 · handed on to editor/);
  const over = ['├─ ✓ advisor law', '├─ ✓ advisor money', '├─ ✓ clerk Find the file', '├─ ✓ destination billing'];
  expect(seen(1)).toEqual([...over, '└─ → editor thinking']);
  await letGo('editor');
  expect(await terminal.ended).toBe(0);

  const history = terminal.history();
  // Whoever speaks stands above its words.
  expect(history.slice(0, 8).map(withoutFigures)).toEqual(['▾ desk', ...over, '└─ ▾ → editor', '', 'editor speaks']);
  const tree = history.slice(9, 23).map((line) => line.replace(/:.*/, ''));
  expect(tree.filter((line) => !line.endsWith('model local/m'))).toEqual([
    'desk',
    '|- 0. advisor law',
    '|- 0. advisor money',
    '|- 1. clerk "Find the file"',
    '|- 2. tool handoff-to',
    '|- 3. destination billing',
    '`- 4. → editor',
  ]);
  const [head = '', ...rows] = history.slice(24);
  expect(rows.pop()).toMatch(/^session \w{26}$/);
  expect(head).toMatch(/^agent +runs +calls +tools /);
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4).join(' '))).toEqual([
    'desk 1 2 6',
    'advisor law 1 1 0',
    'advisor money 1 1 0',
    'clerk 1 1 0',
    'destination billing 1 1 0',
    '→ editor 1 1 0',
    'total 6 7 6',
  ]);
});

test('in a pipe the lines say it, and so do documents', async () => {
  const { cwd, letGo } = await team();
  const ended = run(['desk.ai', '--verbose', '--json', '--save-all', 'said', 'Is it paid?'], { cwd });
  for (const name of ['law', 'money', 'desk', 'clerk', 'billing', 'editor']) await letGo(name);
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  const messages = stderr.split('\n').map((line) => line.replace(/^(\S+) \S+ \S+ (debug|info) /, '$1: '));
  expect(messages.filter((line) => / started| ended$/.test(line) && !line.includes(' turn '))).toEqual([
    'desk: session of desk started',
    'desk: step advisors started',
    'child:law: session of law started as advisor',
    'child:money: session of money started as advisor',
    'desk: step advisors ended',
    'child:clerk: session of clerk started: Find the file',
    'desk: step router started',
    'child:billing: session of billing started as destination',
    'desk: step router ended',
    'desk: step handoff started',
    'child:editor: session of editor started as handoff',
    'desk: step handoff ended',
  ]);
  const fin = stderr.match(/^FIN .*?(?=:\s)/gm) ?? [];
  const [one = '', other = '', ...rest] = fin.filter((line) => line.startsWith('FIN model'));
  // Who of two advisors was done first is nobody's promise.
  expect([one, other].sort()).toEqual([
    'FIN model desk:law (advisor) local/m',
    'FIN model desk:money (advisor) local/m',
  ]);
  expect(rest).toEqual([
    'FIN model desk local/m',
    'FIN model desk:clerk local/m',
    'FIN model desk:billing (destination) local/m',
    'FIN model desk:editor (handoff) local/m',
  ]);
  expect(fin).toContain('FIN tool desk advisor/law');

  const { tree, ledger } = JSON.parse(stdout);
  expect(tree.turns.map(({ number, step }: Record<string, unknown>) => [number, step])).toEqual([
    [0, 'advisors'],
    [1, undefined],
    [2, undefined],
    [3, 'router'],
    [4, 'handoff'],
  ]);
  const sessions: { readonly instanceName: string; readonly partner?: string }[] = Object.values(ledger.bySession);
  expect(Object.fromEntries(sessions.map(({ instanceName, partner }) => [instanceName, partner]))).toEqual(roles);
  const folder = join(cwd, 'said', (await readdir(join(cwd, 'said')))[0] ?? '');
  const files = (await readdir(folder)).sort();
  const saved = await Promise.all(files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))));
  expect(Object.fromEntries(saved.map(({ trace, partner }) => [trace.agentName, partner]))).toEqual(roles);
});

test('--trace-llm shows what each was told, in its role: the desk what its advisors made of the prompt', async () => {
  const { cwd, letGo } = await team();
  const ended = run(['desk.ai', '-q', '--trace-llm', 'Is it paid?'], { cwd });
  for (const name of ['law', 'money', 'desk', 'clerk', 'billing', 'editor']) await letGo(name);
  const { stderr } = await ended;
  const requests = stderr.split(/^(?=[→←] )/m).filter((text) => text.startsWith('→'));
  const heads = requests.map((text) => text.slice(0, text.indexOf('\n')));
  expect(heads.slice(0, 2).sort()).toEqual([
    '→ law (advisor), turn 1, to local/m',
    '→ money (advisor), turn 1, to local/m',
  ]);
  expect(heads.slice(2)).toEqual([
    '→ desk, turn 1, to local/m',
    '→ clerk, turn 1, to local/m',
    '→ desk, turn 2, to local/m',
    '→ billing (destination), turn 1, to local/m',
    '→ editor (handoff), turn 1, to local/m',
  ]);
  const asked = requests[2]?.match(/^ {2}user\n((?: {4}│.*\n)+)/gm) ?? [];
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/agent="law"[\s\S]*law speaks[\s\S]*agent="money"[\s\S]*money speaks[\s\S]*Is it paid\?/);
  expect(requests[2]).not.toContain('result of');
});

test('one that never began has its line as what it would have been, and is no failed tool', async () => {
  const agent = (name: string, more: Partial<Agent> = {}): Agent => ({
    name,
    instructions: `You are ${name}.`,
    model: scriptedModel([`${name} speaks`]),
    ...more,
  });
  const desk = agent('desk', {
    budget: { descendants: 1 },
    advisors: [asPartner(agent('law')), asPartner(agent('money'))],
  });
  const { tree } = await new AIAgentSession({ agent: desk, ports: fakePorts() }).run('go').outcome;
  if (!tree) return expect.fail('There is no tree.');
  const item = toItem(tree, { activity: new Activity(), now: 0, isShown: () => false });
  const lines = toLines(item, { width: 80, isColoured: false });
  expect(lines.slice(1).map(withoutFigures)).toEqual(['├─ ✓ advisor law', '└─ ✗ advisor money refused (budget)']);
  expect(lines[0]).not.toContain('failed');
  expect(drawOpTree(tree)[3]).toMatch(/^\|- 0\. advisor money: .*refused \(budget\)/);
});

const roles = { law: 'advisor', money: 'advisor', billing: 'router', editor: 'handoff' };

/** What stays the same however fast it goes: marks that turn, turns, tokens and times are left out. */
function withoutFigures(line: string): string {
  return line
    .replace(/[\u2800-\u28ff] /, '')
    .replace(/(· )?\d+ tokens?|(· )?\d+\.\d s|(turn \d+|\d+ turns?)( ·)?/g, '')
    .replace(/[ ·]+$/, '')
    .replace(/ {2,}/g, ' ');
}
