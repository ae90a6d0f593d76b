// The promise: whatever clients and defects say, the log has one printable, bounded line for it, without keys; a defect has its stack.

import { AgentError, noTotals, type Outcome, toFailure } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { ServerLog } from '../src/commands/serve/server-log.ts';

function logging(options: { readonly detail?: 'errors' | 'usual' | 'all'; readonly isJson?: boolean } = {}) {
  const lines: string[] = [];
  const stderr = { write: (text: string) => lines.push(text) } as never;
  const log = new ServerLog({ stderr }, { detail: 'all', isJson: false, now: () => 0, ...options });
  return { log, lines };
}

const key = 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz0123456789';

test.each([false, true])('paths and words of others (JSON: %s)', (isJson) => {
  const { log, lines } = logging({ isJson });
  log.refused({
    method: 'GET',
    path: `/v1/\u001b[31m${'x'.repeat(10_000)}\n2026 forged`,
    status: 404,
    code: undefined,
    key: null,
  });
  log.fail(`The plugin p failed: ${key}\nand more`);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line.length).toBeLessThan(700);
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(line).not.toContain(key);
  }
  expect(lines[0]).toContain('1970-01-01T00:00:00.000Z');
});

test('a defect has its stack, for whoever runs the server', () => {
  const { log, lines } = logging({ detail: 'errors' });
  log.bug(new TypeError(`no such thing as ${key}`));
  expect(lines.join('')).toContain('A defect of ours: TypeError: no such thing as');
  expect(lines.join('')).toContain('a-line-of-the-server-log');
  expect(lines.join('')).not.toContain(key);
});

test('quiet is what went wrong alone, and refusals are for whoever wants all', () => {
  const head = {
    id: 's',
    agent: 'desk',
    owner: 'anna',
    headend: 'rest',
    isDetached: false,
    createdAt: 0,
    resumptions: 0,
    facts: 0,
  };
  const said = (detail: 'errors' | 'usual' | 'all') => {
    const { log, lines } = logging({ detail });
    log.say('It serves.');
    log.ended({ ...head, status: 'cancelled' }, undefined, 'rest');
    log.ended(
      { ...head, status: 'failed', failure: toFailure(new AgentError('server-stopping', 'It stops.')) },
      undefined,
      'rest',
    );
    log.refused({ method: 'GET', path: '/', status: 404, code: 'route-unknown', key: 'anna' });
    return lines;
  };
  expect([said('errors').length, said('usual').length, said('all').length]).toEqual([1, 3, 4]);
  expect(said('errors')[0]).toContain('rest desk failed (server-stopping) 0.0 s 0 tokens $0 key=anna session=s');
  expect(said('all').at(-1)).toContain(' GET / 404 route-unknown key=anna\n');
});

test.each([false, true])('a run that failed has the words that clients are not told (JSON: %s)', (isJson) => {
  const { log, lines } = logging({ isJson, detail: 'errors' });
  const head = { id: 's', agent: 'desk', owner: null, headend: 'rest', isDetached: false } as const;
  const ended = { ...head, status: 'failed', createdAt: 0, resumptions: 0, facts: 0 } as const;
  const failure = (code: 'tool-source-failed' | 'session-input-invalid', words: string) =>
    toFailure(new AgentError(code, words));
  log.ended(
    { ...ended, failure: failure('tool-source-failed', `No /srv/x,\n${key}${' more'.repeat(1_000)}`) },
    undefined,
    'rest',
  );
  log.ended({ ...ended, failure: failure('session-input-invalid', 'What was asked does not fit.') }, undefined, 'rest');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('(tool-source-failed) 0.0 s 0 tokens $0 session=s No /srv/x, ');
  expect(lines[0]?.length).toBeLessThan(isJson ? 5_000 : 2_500);
  expect(lines.join('')).not.toContain(key);
  expect(lines[1]).not.toContain('What was asked');
});

test('each missing sub-agent has a line, without what was asked', () => {
  const { log, lines } = logging({ detail: 'usual' });
  const { log: inJson, lines: json } = logging({ isJson: true });
  const head = { id: 's', agent: 'desk', owner: null, headend: 'rest', isDetached: false } as const;
  const ended = { ...head, status: 'completed', createdAt: 0, resumptions: 0, facts: 0 } as const;
  const lost = (path: string, code: 'tool-source-failed' | 'session-input-invalid', words: string) => {
    const failure = toFailure(new AgentError(code, words));
    return { path, title: 'Find Ann', status: 'failed', sessionId: 's~1', failure } as const;
  };
  const incomplete = [
    lost('desk:a', 'tool-source-failed', `No /srv/x,\n${key}${' more'.repeat(1_000)}`),
    lost('desk:b', 'session-input-invalid', 'Ann does not fit.'),
    { path: 'desk:c', title: 'Ann', status: 'partial', sessionId: 's~3', limit: 'maxTurns' } as const,
    ...Array.from({ length: 20 }, (_, i) => lost(`desk:d${i}`, 'session-input-invalid', 'Ann does not fit.')),
  ];
  const outcome = { status: 'completed', startedAt: 0, endedAt: 0, usage: noTotals, incomplete } as unknown as Outcome;
  log.ended(ended, outcome, 'rest');
  inJson.ended(ended, outcome, 'rest');
  const at = '1970-01-01T00:00:00.000Z';
  expect(lines).toHaveLength(22);
  expect(lines[0]).toContain(' incomplete=23 session=s');
  expect(lines[1]).toMatch(
    new RegExp(`^${at} session=s incomplete: desk:a failed \\(config\\): No /srv/x, .{0,220}\n$`),
  );
  expect(lines[2]).toBe(`${at} session=s incomplete: desk:b failed\n`);
  expect(lines[3]).toBe(`${at} session=s incomplete: desk:c was cut off by the limit maxTurns\n`);
  expect(lines[21]).toBe(`${at} session=s incomplete: 3 more\n`);
  expect(lines.join('') + json.join('')).not.toMatch(new RegExp(`${key}|Ann`));
  expect(json).toHaveLength(1);
  const logged = JSON.parse(json[0] ?? '');
  expect(logged.incompleteCount).toBe(23);
  expect(logged.incomplete).toHaveLength(20);
  expect(logged.incomplete.slice(0, 3)).toEqual([
    { path: 'desk:a', status: 'failed', problem: expect.stringContaining('No /srv/x, ') },
    { path: 'desk:b', status: 'failed', problem: null },
    { path: 'desk:c', status: 'partial', problem: null },
  ]);
});

test('a round is one of the headend that it came through, and unknown money has the words of the other places', () => {
  const { log, lines } = logging({ detail: 'usual' });
  const { log: inJson, lines: json } = logging({ isJson: true });
  const head = { id: 's', agent: 'desk', owner: null, headend: 'openai', isDetached: false } as const;
  const ended = { ...head, status: 'completed', createdAt: 0, resumptions: 1, facts: 9 } as const;
  const usage = { ...noTotals, modelCalls: 2, unknownUsageCalls: 1, unknownCostCalls: 2 };
  const outcome = { status: 'completed', startedAt: 0, endedAt: 0, usage, incomplete: [] } as unknown as Outcome;
  log.ended(ended, outcome, 'anthropic');
  inJson.ended(ended, outcome, 'anthropic');
  log.ended(ended, { ...outcome, usage: { ...usage, unknownCostCalls: 1, costUsd: 0.5 } }, 'anthropic');
  expect(lines[0]).toContain(' anthropic desk completed 0.0 s 0+? tokens cost unknown session=s');
  expect(lines[1]).toContain(' $0.5000+? ');
  log.ended(ended, { ...outcome, usage: { ...usage, unknownCostCalls: 1 } }, 'anthropic');
  expect(lines[2]).toContain(' cost unknown ');
  expect(JSON.parse(json[0] ?? '')).toMatchObject({ headend: 'anthropic', unknownUsageCalls: 1, costUsd: null });
});
