// However few lines there are: what failed is seen or counted, what is cut is said, and sums that miss something say so.

import { type AgentEvent, LedgerFold, noTotals, type SessionNode, type ToolNode, type Totals } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { Activity } from '../src/render/activity.ts';
import { countLines, foldItems } from '../src/render/fold-items.ts';
import { drawOpTree } from '../src/render/op-tree.ts';
import { type ItemStyle, idsOver, toItem } from '../src/render/panel-item.ts';
import { toLines } from '../src/render/panel-lines.ts';
import { toUsageTable } from '../src/render/usage-table.ts';
import { call } from './support/calls.ts';
import { agentFile, folderWith, localProvider } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

type Status = SessionNode['status'];

const traceOf = (id: string, parentId: string | null = 'root') => {
  const name = id.replace(/\d+$/, '');
  const path = { callPath: name, turnPath: '1', toolName: null, correlationId: id };
  return { originId: 'root', parentId, selfId: id, agentName: name, agentId: name, instanceName: id, ...path };
};

const callOf = (id: string, more: Partial<ToolNode> = {}): ToolNode => ({
  type: 'tool',
  op: `1.${id}`,
  trace: traceOf('root'),
  status: 'running',
  requestedAt: 0,
  label: id,
  instance: id,
  title: `Job of ${id}`,
  input: '',
  ...more,
});

function session(id: string, status: Status, below: readonly (SessionNode | ToolNode)[] = []): SessionNode {
  const operations = below.map((one) =>
    one.type === 'tool' ? one : callOf(one.trace.selfId, { session: one, status: toStatus(one.status) }),
  );
  const trace = traceOf(id, id === 'root' ? null : 'root');
  const turn = { type: 'turn' as const, trace, number: 1, startedAt: 0, operations };
  const ended = status === 'running' ? {} : { endedAt: 1_000 };
  return { type: 'session', trace, title: null, status, startedAt: 0, input: '', turns: [turn], ...ended };
}

const toStatus = (status: Status) => (status === 'running' ? 'running' : status === 'failed' ? 'failed' : 'ok');

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i + 1));

function drawn(root: SessionNode, lines: number, more: Partial<ItemStyle> = {}): readonly string[] {
  const item = toItem(root, { activity: new Activity(), now: 1_000, isShown: () => false, ...more });
  const seen = toLines(foldItems(item, lines), { width: 100, isColoured: false });
  expect(seen.length).toBeLessThanOrEqual(lines);
  return seen;
}

describe('what failed', () => {
  test('is not green when it is one of many: the line is that of a failure and says how many', () => {
    const seen = drawn(
      session(
        'root',
        'running',
        many(20, (i) => session(`w${i}`, 'failed')),
      ),
      6,
    );
    expect(seen).toHaveLength(6);
    expect(seen.slice(1, 5)).toEqual(many(4, (i) => expect.stringMatching(`^├─ ✗ w${i} .*failed`)));
    expect(seen.at(-1)).toMatch(/^└─ ✗ 16 more {2}w.* 16 failed/);
  });

  test('keeps its line below what went well, while that is folded', () => {
    const mids = many(6, (i) =>
      session(`mid${i}`, 'completed', [session(`leaf${i}`, i === 4 ? 'failed' : 'completed')]),
    );
    const seen = drawn(session('root', 'running', mids), 9);
    expect(seen).toContainEqual(expect.stringMatching(/^[├└]─ ✓ mid4/));
    expect(seen).toContainEqual(expect.stringMatching(/^.{3}└─ ✗ leaf4 .*failed/));
    const [, done, above, failed] = drawn(session('root', 'running', mids), 4);
    expect([done, above, failed]).toEqual([
      expect.stringMatching(/^├─ ✓ 5 done/),
      expect.stringMatching(/^└─ ✓ mid4/),
      expect.stringMatching(/^ {3}└─ ✗ leaf4/),
    ]);
  });

  test('is told by the line above it where it must go', () => {
    const mids = many(6, (i) => session(`mid${i}`, 'completed', [session(`leaf${i}`, 'failed')]));
    const seen = drawn(session('root', 'running', mids), 9);
    expect(seen).toHaveLength(9);
    const told = seen.filter((line) => /✗ leaf|✓ mid.*1 failed below/.test(line));
    expect(told).toHaveLength(6);
    expect(drawn(session('root', 'running', mids), 3).at(-1)).toMatch(/✓ 5 more .*5 failed below/);
    expect(drawn(session('root', 'running', mids), 1)[0]).toMatch(/root .*12 below · 6 failed below/);
  });

  test('comes before what runs when lines are few', () => {
    const workers = many(30, (i) => session(`w${i}`, i === 29 ? 'failed' : 'running'));
    const seen = drawn(session('root', 'running', [session('mid1', 'running', workers)]), 6);
    expect(seen).toContainEqual(expect.stringMatching(/✗ w29/));
    expect(seen.at(-1)).toMatch(/● 27 more/);
    const busy = session('mid1', 'running', workers.slice(0, 20));
    const unlucky = session(
      'mid2',
      'running',
      many(5, (i) => session(`leaf${i}`, 'failed')),
    );
    const both = drawn(session('root', 'running', [busy, unlucky]), 8);
    expect(both[1]).toMatch(/mid1 .*20 below/);
    expect(both.filter((line) => line.includes('✗ leaf'))).toHaveLength(5);
  });

  test('one that ended by a limit is not green among those that went well', () => {
    const workers = many(9, (i) => session(`w${i}`, i === 2 ? 'partial' : 'completed'));
    expect(drawn(session('root', 'running', workers), 4).join('\n')).toMatch(/◐ 9 done/);
  });
});

describe('what is cut', () => {
  test('fills the lines there are, and the last says how many more', () => {
    const root = session(
      'root',
      'running',
      many(64, (i) => session(`w${i}`, 'running')),
    );
    const seen = drawn(root, 29);
    expect(seen).toHaveLength(29);
    expect(seen.at(-1)).toMatch(/^└─ ● 37 more {2}w/);
    const few = drawn(
      session(
        'root',
        'running',
        many(9, (i) => session(`w${i}`, 'running')),
      ),
      4,
    );
    expect(few.map((line) => /w\d|\d more/.exec(line)?.[0])).toEqual([undefined, 'w1', 'w2', '7 more']);
  });

  test('deeper down as well', () => {
    const below = many(40, (i) => session(`leaf${i}`, 'running'));
    const seen = drawn(session('root', 'running', [session('mid1', 'running', below), session('mid2', 'running')]), 20);
    expect(seen).toHaveLength(20);
    expect(seen).toContainEqual(expect.stringMatching(/^│ {2}└─ ● 24 more/));
  });

  test('those that went well stay one line, with their number, beside what runs', () => {
    const workers = many(30, (i) => session(`w${i}`, i <= 12 ? 'completed' : 'running'));
    const seen = drawn(session('root', 'running', workers), 8);
    expect(seen[1]).toMatch(/^├─ ✓ 12 done/);
    expect(seen.at(-1)).toMatch(/13 more/);
    expect(drawn(session('root', 'running', workers), 2).at(-1)).toMatch(/^└─ ● 30 more/);
  });

  test('counts sessions, not lines', () => {
    const leaves = (n: number) => many(12, (i) => session(`leaf${n}${i}`, i === 12 ? 'running' : 'completed'));
    const mids = many(4, (i) => session(`mid${i}`, 'running', leaves(i)));
    const seen = drawn(session('root', 'running', mids), 5);
    expect(seen.slice(1)).toEqual(many(4, (i) => expect.stringMatching(`mid${i} .*12 below`)));
  });

  test('never takes more lines than there are', () => {
    const tree = (depth: number, id: string): SessionNode =>
      session(id, depth % 2 ? 'running' : 'failed', depth === 0 ? [] : many(4, (i) => tree(depth - 1, `${id}x${i}`)));
    const item = toItem(tree(3, 'root'), { activity: new Activity(), now: 0, isShown: () => false });
    for (const lines of many(90, (i) => i)) expect(countLines(foldItems(item, lines))).toBe(Math.min(lines, 85));
  });
});

describe('what is not known', () => {
  const used = (costUsd: number, unknownCostCalls: number) =>
    ({ inputTokens: 10, outputTokens: 5, costUsd, unknownCostCalls }) as Totals;
  const spent = (id: string, costUsd: number, unknown: number) => ({
    ...session(id, 'completed'),
    usage: used(costUsd, unknown),
  });

  test('money that misses calls says so, in one line and in many', () => {
    const below = [spent('a1', 0.0015, 0), spent('a2', 0, 1), spent('a3', 0, 0)];
    const [root, first, second] = drawn(session('root', 'running', below), 9);
    expect(root).toMatch(/ · 45 tokens · \$0\.0015\+\? · /);
    expect(first).toMatch(/ · \$0\.0015 · /);
    expect(second).not.toContain('$');
    expect(drawn(session('root', 'running', below), 3)[1]).toMatch(/✓ 3 done .*45 tokens · \$0\.0015\+\?$/);
  });

  test('a failed request has an unknown cost, one that was never sent has none', () => {
    const model = { type: 'model' as const, trace: traceOf('root'), requestedAt: 0, provider: 'p', model: 'm' };
    const costs = (failed: Totals) => {
      const root = session('root', 'running');
      root.turns[0]?.operations.push(
        { ...model, op: '1.0', status: 'ok', total: { ...noTotals, modelCalls: 1, costUsd: 1 } },
        { ...model, op: '1.1', status: 'failed', total: failed },
        { ...model, op: '1.2', status: 'running' },
      );
      return drawn(root, 9)[0];
    };
    expect(costs({ ...noTotals, modelCalls: 1, unknownCostCalls: 1 })).toMatch(/ \$1\.00\+\? /);
    expect(costs(noTotals)).toMatch(/ \$1\.00 /);
  });
});

describe('what it does', () => {
  const hint = (type: string, more: object = {}) =>
    ({ kind: 'hint', type, trace: traceOf('root'), ...more }) as AgentEvent;

  test('calls of agents that wait for a place are waited for, and are no tools of its own', () => {
    const root = session('root', 'running', [session('a1', 'running'), ...many(8, (i) => callOf(`b${i}`))]);
    const activity = new Activity();
    expect(activity.of(root, 0)).toEqual({ words: 'waits for 9', isWaiting: true });
    root.turns[0]?.operations.push(callOf('read_file', { title: null }));
    expect(activity.of(root, 0)).toEqual({ words: 'read_file waits for its turn', isWaiting: true });
    activity.add(hint('tool-progress', { op: '1.read_file', text: 'Waits in a queue.' }), 0);
    expect(activity.of(root, 0).words).toBe('read_file waits for its turn');
    activity.add(hint('operation-start', { op: '1.read_file' }), 0);
    expect(activity.of(root, 0)).toEqual({ words: 'read_file', isWaiting: false });
    activity.add(hint('tool-progress', { op: '1.read_file', text: `3 of 9\n${'x'.repeat(99)}` }), 0);
    expect(activity.of(root, 0).words).toMatch(/^read_file: 3 of 9 x{20,33}…$/);
    activity.add(hint('operation-end', { op: '1.read_file' }), 0);
    activity.add(hint('operation-end', { op: '1.b3' }), 0);
    expect(activity.of(root, 0).words).toBe('waits for 8');
  });

  test('a model that is asked again thinks, whatever it wrote before', () => {
    const root = session('root', 'running');
    const model = { type: 'model' as const, trace: traceOf('root'), requestedAt: 0, provider: 'p', model: 'm' };
    root.turns[0]?.operations.push({ ...model, op: '1.0', status: 'running' });
    const activity = new Activity();
    for (const event of [hint('operation-start', { op: '1.0' }), hint('text-delta'), hint('model-send')])
      activity.add(event, 0);
    expect(activity.of(root, 0).words).toBe('thinking');
  });
});

describe('what was left standing', () => {
  test('calls that failed without a session are not shown again', () => {
    const below = [callOf('a1', { status: 'failed' }), callOf('a2'), callOf('a3', { status: 'refused' })];
    const root = session('root', 'running', [...below, session('b1', 'failed'), session('b2', 'running')]);
    expect(drawn(root, 9)).toHaveLength(6);
    const shown = new Set(idsOver(root));
    const names = drawn(root, 9, { isShown: (id) => shown.has(id) }).map((line) => /[ab]\d/.exec(line)?.[0]);
    expect(names).toEqual([undefined, 'a2', 'b2']);
  });

  test('the root is marked as one whose words stand below, what it called as it is', () => {
    const [root, child] = drawn(session('root', 'running', [session('a1', 'running')]), 9, { isLeft: true });
    // Its sums still grow, and the line is not drawn again.
    expect(root).toMatch(/^▾ root +turn 1$/);
    expect(child).toMatch(/^└─ ● a1/);
    expect(drawn(session('root', 'failed'), 9, { isLeft: true })[0]).toMatch(/^✗ root/);
  });
});

test('rows of the table come as the agents began, not as they ended', () => {
  const fold = new LedgerFold();
  let seq = 0;
  const fact = (type: string, id: string, more: object = {}) =>
    fold.add({ kind: 'fact', type, trace: traceOf(id), at: 0, seq: ++seq, ...more } as never);
  const ends = { op: '1.0', startedAt: 0, endedAt: 1, provider: 'p', model: 'm', requests: [], reply: { usage: {} } };
  for (const id of ['lead', 'slow', 'quick', 'slow2', 'idle']) fact('session-start', id);
  for (const id of ['quick', 'slow2', 'slow', 'lead']) fact('model-end', id, ends);
  const rows = toUsageTable({ ledger: fold.ledger(), durationMs: 1, width: 80, isColoured: false });
  expect(rows.map((row) => row.split(' ')[0])).toEqual(['agent', 'lead', 'slow', 'quick', 'idle', 'total']);
});

test('where the window is narrow, names stay longer than what they are', () => {
  const fold = new LedgerFold();
  let seq = 0;
  const fact = (type: string, id: string, more: object = {}) =>
    fold.add({ kind: 'fact', type, trace: traceOf(id), at: 0, seq: ++seq, ...more } as never);
  const ends = { op: '1.0', startedAt: 0, endedAt: 1, provider: 'p', model: 'm', requests: [], reply: { usage: {} } };
  fact('session-start', 'technical', { partner: 'router' });
  fact('model-end', 'technical', ends);
  const namesAt = (width: number) =>
    toUsageTable({ ledger: fold.ledger(), durationMs: 1, width, isColoured: false })[1]?.split(/ {2,}/)[0];
  expect([namesAt(90), namesAt(30)]).toEqual(['destination technical', 'technical']);
  const item = toItem(
    { ...session('technical', 'completed'), partner: 'router' },
    { activity: new Activity(), now: 1_000, isShown: () => false },
  );
  const lineAt = (width: number) => toLines(item, { width, isColoured: false })[0];
  expect(lineAt(40)).toMatch(/^✓ destination technical /);
  expect(lineAt(16)).toMatch(/^✓ technical\b/);
});

test('in the whole tree a wait is told when somebody would notice it', () => {
  const waited = (startedAt: number) =>
    drawOpTree(
      session('root', 'completed', [
        callOf('look', { title: null, status: 'ok', requestedAt: 0, startedAt, endedAt: startedAt + 100 }),
      ]),
    )[1];
  expect(waited(250)).toBe('`- 1. tool look: 0.1 s');
  expect(waited(400)).toBe('`- 1. tool look: 0.1 s, after 0.4 s of waiting');
});

test('on a terminal: twenty that failed in a window of twelve lines', async () => {
  const calls = many(20, (i) => call('agent__worker', { text: `job ${i}`, reason: `Job ${i}` }));
  const model = await served(({ system, messages }) => {
    if (system.includes('worker')) return { fail: { code: 'model-auth' as const } };
    return JSON.stringify(messages).includes('"tool"') ? { text: 'Done.', latencyMs: 1_000 } : { calls };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: worker.ai', 'maxToolCallsPerTurn: 30', 'maxParallel: 4']),
    'worker.ai': agentFile(['models: local/m', 'description: w', 'maxRetries: 1'], 'You are a worker.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const terminal = startInTerminal(['lead.ai', 'go'], { cwd, rows: 12 });
  await terminal.shows(/lead .*turn 2/);
  expect(terminal.screen().join('\n')).toMatch(/└─ ✗ (\d+) more {2}worker ×\1 .*\b\1 failed/);
  expect(terminal.screen().filter((line) => /✗ worker\[/.test(line)).length).toBeGreaterThan(7);
  expect(await terminal.ended).toBe(0);
});
