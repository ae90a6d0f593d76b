// The promise: docs/mcp.md has the limits of the code, every field that results say of a run, and every reason why nobody answered.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionDefaults } from '../src/headends/mcp/http-sessions.ts';
import { keptDefaults } from '../src/headends/mcp/kept-events.ts';
import { mcpDefaults } from '../src/headends/mcp/mcp-house.ts';
import { mostTries } from '../src/headends/mcp/open-question.ts';
import { defaultAnswerWithinMs } from '../src/headends/mcp/person.ts';
import { defaultHeartbeatMs } from '../src/headends/mcp/progress-notes.ts';
import { mostListed, pageSize } from '../src/headends/mcp/session-pages.ts';
import { streamDefaults } from '../src/headends/mcp/stdio.ts';

const root = join(import.meta.dirname, '../../..');
const page = read('docs/mcp.md');

test('the limits on the page are those of the code', () => {
  const [, section = ''] = /^## Limits\n([\s\S]*)$/m.exec(page) ?? [];
  const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(2);
  const seconds = (ms: number) => `${ms / 1_000} s`;
  const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
  expect(Object.fromEntries(rows.map(([, what, limit]) => [what, limit]))).toEqual({
    'sessions of the older revision over HTTP': String(sessionDefaults.maxSessions),
    'one of them in which nothing runs and no stream is open': `${sessionDefaults.idleMs / 60_000} min`,
    'what is kept of one for a stream that broke off': `${keptDefaults.maxEvents} messages, ${mebibytes(keptDefaults.maxLength)}`,
    'what is kept of all of them': mebibytes(sessionDefaults.maxKeptLength),
    'a run whose client has gone and may come back': seconds(sessionDefaults.graceMs),
    'WebSockets, and streams of events, of each': String(mcpDefaults.maxConnections),
    'between two pings, or signs of life': seconds(mcpDefaults.pingMs),
    'what may wait for a reader': mebibytes(mcpDefaults.maxWaitingBytes),
    'a message over HTTP and WebSockets': mebibytes(mcpDefaults.maxBodyBytes),
    'a message on stdin': mebibytes(streamDefaults.maxMessageBytes),
    'requests under way when stdin ends': seconds(streamDefaults.graceMs),
    'a person who is asked, in the older revision': `${defaultAnswerWithinMs / 3_600_000} h`,
    'answers of a person that do not fit': String(mostTries),
    'silence where progress is asked for': seconds(defaultHeartbeatMs),
    'a page of resources': `${pageSize}, of the last ${mostListed}`,
  });
});

test('whatever results say of a run under our key is on the page', () => {
  const [, section = ''] = /says for programs how it ended:\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const cells = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].map(([, cell = '']) => cell);
  const onPage = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const code = ['tool-result.ts', 'open-question.ts'].map((file) => read(`packages/server/src/headends/mcp/${file}`));
  const said = [...code.join('\n').matchAll(/(?:toMeta\(|addNote\(.*, )\{ (?:\.\.\.meta, )?([^}]*) \}/g)];
  const [, always = ''] = /return \{ (status, sessionId[^.]*), \.\.\./.exec(code.join('\n')) ?? [];
  const named = [always, ...said.map(([, fields = '']) => fields)].flatMap((list) => list.split(','));
  const names = named.map((name) => name.trim().replace(/:.*$/, '')).filter((name) => name !== '');
  expect(new Set([...names, 'metadata', 'limit', 'isCached', 'incomplete'])).toEqual(new Set(onPage));
});

test('why nobody answered is said in the words of the code', () => {
  const [, type = ''] =
    /^export type Unanswered = (.*);$/m.exec(read('packages/server/src/headends/mcp/person.ts')) ?? [];
  const reasons = [...type.matchAll(/'(\w+)'/g)].map(([, reason]) => reason);
  const [row = ''] = /^\| `unanswered` \|.*$/m.exec(page) ?? [];
  expect(reasons).toHaveLength(5);
  expect(reasons.filter((reason) => !row.includes(`\`${reason}\``))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}
