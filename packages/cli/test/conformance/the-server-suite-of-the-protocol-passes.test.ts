// The server suite of the protocol, in both revisions against the served command: what passes passes, and what does not needs what no agent is.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveScript } from '@ai-agent/cli/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderWith, type Later, localProvider } from '../support/command.ts';
import { type Serving, serving } from '../support/serving.ts';
import { changedFile, fixtureFiles } from './support/fixture-agents.ts';
import { fixtureModel } from './support/fixture-model.ts';
import { failing, newer, older, type Revision, rows } from './support/server-scenarios.ts';
import { type Found, listScenarios, runServerSuite } from './support/server-suite.ts';
import { type Check, toLine } from './support/suite.ts';

let server: Serving;
let found: Readonly<Record<string, Found>>;
const undo: Parameters<Later>[0][] = [];
const later: Later = (each) => void undo.push(each);

beforeAll(async () => {
  let changes = 0;
  const change = () => {
    const [name, content] = changedFile(++changes);
    writeFileSync(join(cwd, name), content);
  };
  const model = await serveScript(fixtureModel({ change }));
  later(() => model.close());
  const cwd = await folderWith({ ...fixtureFiles(), '.ai-agent.json': localProvider(model.baseUrl) }, later);
  server = await serving(['serve', 'agents', '--port', '0', '--watch'], { cwd, later });
  const url = `${server.url}/mcp`;
  // What is loaded for the first who comes is loaded before the suite looks at the clock.
  await server.get('/v1/test_simple_text', { method: 'POST', body: '{}' });
  const [before, since, all] = await Promise.all([
    runServerSuite(url, { revision: older }),
    runServerSuite(url, { revision: newer }),
    runServerSuite(url),
  ]);
  found = { [older]: before, [newer]: since, extension: all };
  await tryAgain(url, newer, since);
}, 120_000);

/** Alone: one scenario waits half a second for an answer, which is little while others are at work. */
async function tryAgain(url: string, revision: Revision, all: Found): Promise<void> {
  const row = rows.find(({ scenario }) => scenario === 'server-stateless');
  if (!row || brokenIn(all.get(row.scenario)).length === failing(row, revision).length) return;
  for (const [name, checks] of await runServerSuite(url, { revision, scenario: row.scenario })) all.set(name, checks);
}

function brokenIn(checks: readonly Check[] = []): readonly Check[] {
  return checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
}

afterAll(async () => {
  for (const each of undo.reverse()) await each();
});

test('every scenario there is has its row, for the revisions that it is for', async () => {
  const listed = [...(await listScenarios())].map(([name, revisions]) => [
    name,
    revisions.filter((revision) => [older, newer, 'extension'].includes(revision)),
  ]);
  expect(rows.map((row) => [row.scenario, row.in])).toEqual(listed);
});

describe.each([older, newer, 'extension'] as const)('%s', (revision) => {
  const here = rows.filter((row) => row.in.includes(revision));

  test.each(here)('$scenario', (row) => {
    const { scenario, needs } = row;
    const checks = found[revision]?.get(scenario) ?? [];
    const broken = brokenIn(checks);
    const lines = broken.map(toLine).join('\n');
    if (revision !== 'extension')
      expect([...new Set(broken.map(({ id }) => id))].sort(), lines).toEqual(failing(row, revision));
    if (needs === undefined) expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
    expect(checks.map(({ id }) => id)).not.toEqual([]);
    expect(broken.filter(({ id }) => id === 'wire-schema-valid').map(toLine)).toEqual([]);
  });
});

test('the server lives on, and nothing went wrong in it that nobody foresaw', async () => {
  expect((await server.get('/health')).status).toBe(200);
  expect(server.log().filter(({ event }) => event === 'bug')).toEqual([]);
});
