// The promise: docs/server.md has every name that ai-agent/server exports, and the very fields and defaults of its interfaces.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { schemaBounds } from '../src/client-schema.ts';
import { heartbeatMs, patience } from '../src/headends/rest/session-events.ts';
import { defaultPlaces, reservedNames } from '../src/index.ts';
import { listenDefaults } from '../src/listen.ts';
import { keptSessions } from '../src/memory-sessions.ts';
import { defaultBodyBytes } from '../src/read-body.ts';
import { defaultGraceMs } from '../src/serve.ts';

const root = join(import.meta.dirname, '../../..');
const page = read('docs/server.md');
const files = ['packages/server/src/**/*.ts', 'packages/core/src/session-store.ts'];
const code = globSync(files, { cwd: root }).map(read).join('\n');
const surface = read('packages/cli/src/server.ts');

test('every name that ai-agent/server exports stands on the page', () => {
  const listed = [...surface.matchAll(/export \{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
  const declared = [...surface.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name = '']) => name);
  const names = [...listed, ...declared].map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`\`(?:new )?${name}[\`(]`).test(page))).toEqual([]);
});

const tables = [...page.matchAll(/^### `(\w+)`$/gm)].map(([, name = '']) => name);

test('the interfaces people hand in and are given have a table', () => {
  const wanted = [
    'ApiOptions',
    'ServeOptions',
    'Api',
    'Serving',
    'KeySettings',
    'SessionStore',
    'ServedAgent',
    'SessionQuery',
  ];
  expect(wanted.filter((name) => !tables.includes(name))).toEqual([]);
});

test.each(tables)('the fields of %s are those of the page', (name) => {
  const [, body = ''] = new RegExp(`interface ${name}(?: extends [\\w, ]+)? \\{\\n([\\s\\S]*?)\\n\\}`).exec(code) ?? [];
  const inCode = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, field]) => field);
  expect(inCode.length).toBeGreaterThan(0);
  const section = page.split(/^##+ /m).find((text) => text.startsWith(`\`${name}\`\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].map(([, cell = '']) => cell);
  const onPage = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, field]) => field));
  expect(onPage.sort()).toEqual(inCode.sort());
});

test('the limits on the page are those of the code', () => {
  const rows = Object.fromEntries(
    [...page.matchAll(/^\| ([^`|]+) \| ([^|]+) \|[^|]*\|$/gm)].map(([, what, limit]) => [what, limit]),
  );
  const seconds = (ms: number) => `${ms / 1000} s`;
  expect(rows).toMatchObject({
    'runs at once, of each headend': String(defaultPlaces.running),
    'runs that wait for a place, of each headend': String(defaultPlaces.waiting),
    'body of a request': `${defaultBodyBytes / 1024 / 1024} MiB`,
    'a schema that comes with a request': `${schemaBounds.letters} letters, ${schemaBounds.levels} levels, ${schemaBounds.patterns} patterns`,
    'headers of a request': `${listenDefaults.maxHeaderBytes / 1024} KiB`,
    'for the headers to arrive': seconds(listenDefaults.headersTimeoutMs),
    'for the whole request to arrive': seconds(listenDefaults.requestTimeoutMs),
    'a reader that takes nothing': seconds(listenDefaults.stallMs),
    'one of the events of a session, where another program of yours listens': seconds(patience * heartbeatMs),
    'connections at once': String(listenDefaults.maxConnections),
    'an idle connection': seconds(listenDefaults.keepAliveTimeoutMs),
    'grace at the end': seconds(defaultGraceMs),
    'sessions that are kept after their end, without a store': `${keptSessions.sessions}, ${keptSessions.bytes / 1024 / 1024} MiB`,
  });
});

test('the names that agents may not have are those of the code', () => {
  const [, section = ''] = /### Names of agents\n([\s\S]*?)\n## /.exec(page) ?? [];
  expect(reservedNames.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
}
